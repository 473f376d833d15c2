//! Values behind locks and cells, which live only as long as their guard.

use super::Walk;
use crate::MemoryProfile;
use crate::frame::LeafKind;
use crate::opaque::OpaqueReason;
use crate::position::Position;
use crate::sampling::Sampling;
use crate::state::{Obstacle, WalkState};
use crate::watch::Watch;

/// The largest number of guards (of locks and cells) held at the same time. Contents behind more
/// guards are `[opaque]`.
pub(crate) const MAX_GUARDS: u32 = 128;

/// # Values behind guards
impl Walk<'_> {
    /// Adds everything that a guarded value owns. The walk visits all of it before the call
    /// returns, because the value only lives as long as its guard.
    pub fn guarded<T: MemoryProfile + ?Sized>(&mut self, value: &T, at: Position) {
        self.note(Obstacle::Guard);
        if let Some(mut nested) = Nested::begin(self, at) {
            value.owned(&mut nested.inner, at);
            nested.inner.drain();
        }
    }

    /// Adds what [`guarded`](Self::guarded) adds, and the value's inline bytes.
    pub fn guarded_pointee<T: MemoryProfile + ?Sized>(&mut self, value: &T, at: Position) {
        self.note(Obstacle::Guard);
        if let Some(mut nested) = Nested::begin(self, at) {
            value.pointee(&mut nested.inner, at);
            nested.inner.drain();
            return;
        }
        self.leaf(at, LeafKind::of_lump::<T>(), size_of_val(value));
    }
}

/// A walk with its own work list, for values that only live as long as a guard.
///
/// It takes what the outer walk collected and returns it when dropped, even during a panic.
struct Nested<'w, 'g> {
    outer: Outer<'w>,
    inner: Walk<'g>,
}

/// The fields that a nested walk takes from the outer walk and returns to it.
struct Outer<'w> {
    tree: &'w mut Option<Box<WalkState>>,
    handles: &'w mut Option<Box<WalkState>>,
    total: &'w mut u64,
    watch: &'w mut Watch,
    sampling: &'w mut Option<Box<Sampling>>,
}

impl<'w: 'g, 'g> Nested<'w, 'g> {
    fn begin(outer: &'w mut Walk<'_>, at: Position) -> Option<Self> {
        if outer.guards == MAX_GUARDS {
            outer.opaque(at, OpaqueReason::TooDeep);
            return None;
        }
        let Walk { tree, handles, total, guards, watch, sampling, observer, memory, .. } = outer;
        let mut inner = Walk {
            tree: tree.take(),
            handles: handles.take(),
            total: *total,
            guards: *guards + 1,
            watch: *watch,
            sampling: sampling.take(),
            work_list: Vec::new(),
            waiting: None,
            memory: memory.as_deref_mut(),
            observer: None,
        };
        if let Some(observer) = observer {
            inner.observer = Some(&mut **observer);
        }
        Some(Self { outer: Outer { tree, handles, total, watch, sampling }, inner })
    }
}

impl Drop for Nested<'_, '_> {
    fn drop(&mut self) {
        let Self { outer, inner } = self;
        *outer.tree = inner.tree.take();
        *outer.handles = inner.handles.take();
        *outer.total = inner.total;
        *outer.watch = inner.watch;
        *outer.sampling = inner.sampling.take();
    }
}
