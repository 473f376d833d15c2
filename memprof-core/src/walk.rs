//! The walk, positions and shapes: the parts of an impl of
//! [`MemoryProfile`](trait@crate::MemoryProfile).
//!
//! | question | item |
//! |---|---|
//! | How does an impl add bytes? | [`Walk`] |
//! | Where does it add them? | [`Position`]; [`Fields`] for the fields of a struct |
//! | What are the fields of a type? | [`Shape`], [`Field`] |
//! | How does a slice keep its sums in registers? | [`Tally`] |
//! | How does a map name its entries? | [`Keyed`] |
//! | How does a reference count what it points to? | [`Follow`] |
//! | How does a walk stop early? | [`Observer`] |
//! | How does a type of another crate get an impl? | [`foreign!`](crate::walk::foreign) |
//! | What do handles share? | [`Shared`] |

mod finish;
mod shared_buffers;

pub use crate::follow::Follow;
pub use crate::foreign;
pub use crate::keyed::Keyed;
pub use crate::observer::Observer;
pub use crate::position::{Fields, Position};
pub use crate::shape::{Field, Shape};
pub use crate::sharing::Shared;
pub use crate::tally::Tally;

use crate::frame::LeafKind;
use crate::position::MAX_DEPTH;
use crate::shape::Inline;
use crate::state::{NO_NODE, WalkState};
use crate::tree::{Device, OpaqueReason};
use crate::watch::Watch;
use crate::{MemoryProfile, layout};
use core::mem::ManuallyDrop;
use finish::finish;

/// The largest number of guards (of locks and cells) held at the same time. Beyond it, contents are
/// `[opaque]`.
const MAX_GUARDS: u32 = 128;

/// The maximum number of pointer edges followed by recursion from the work list of a guard.
///
/// The work lists of all guards are processed on one stack. With 64 levels each they would need 3
/// MiB in a debug build, which is more than the default stack of a thread.
const MAX_DEPTH_GUARDED: u32 = 8;

/// The walk, through which values report what they own.
///
/// # Cost
/// A leaf takes two or three additions. Nothing is allocated per value, because nodes are made once
/// per path.
#[must_use]
pub struct Walk<'a> {
    pub(crate) state: WalkState,
    /// Values to visit when the stack is shallow again.
    work_list: Vec<WorkItem<'a>>,
    pub(crate) observer: Option<&'a mut (dyn Observer + 'a)>,
}

impl<'a> Walk<'a> {
    /// Returns a walk that adds to an existing state.
    pub(crate) fn with_state(state: WalkState) -> Self {
        Self { state, work_list: Vec::new(), observer: None }
    }

    /// Walks `root` completely and returns everything found.
    pub(crate) fn run<T: MemoryProfile + ?Sized>(root: &T) -> WalkState {
        Walk::with_state(WalkState::new()).walk_root(root)
    }

    /// Walks `root` like [`run`](Self::run), but the observer may stop the walk early.
    pub(crate) fn run_observed<T: MemoryProfile + ?Sized>(
        root: &T,
        observer: &mut dyn Observer,
    ) -> WalkState {
        let mut walk = Walk::with_state(WalkState::new());
        walk.state.watch = Watch::begin(observer);
        walk.observer = Some(observer);
        walk.walk_root(root)
    }

    fn walk_root<T: MemoryProfile + ?Sized>(mut self, root: &'a T) -> WalkState {
        root.pointee(&mut self, Position::node(0));
        self.drain();
        finish(self.state)
    }

    /// Walks several values like [`run`](Self::run), each below the root under its name.
    pub(crate) fn run_all<N: AsRef<str>>(
        values: impl Iterator<Item = (N, &'a (dyn MemoryProfile + 'a))>,
    ) -> WalkState {
        let mut walk = Walk::with_state(WalkState::new());
        for (name, value) in values {
            let at = walk.entry(Position::node(0), name.as_ref());
            value.pointee(&mut walk, at);
            walk.drain();
        }
        finish(walk.state)
    }

    /// Adds `bytes` bytes of `kind` at a position.
    #[inline]
    pub fn leaf(&mut self, at: Position, kind: LeafKind, bytes: usize) {
        let leaf = self.state.bytes(at, kind);
        *leaf = leaf.saturating_add(bytes as u64);
        self.state.sharing.add(bytes);
    }

    /// Adds estimated bytes. The profile is then no longer exact.
    pub fn estimated(&mut self, at: Position, kind: LeafKind, bytes: usize) {
        self.leaf(at, kind, bytes);
        self.state.estimated(at, kind, Device::Cpu, bytes);
    }

    /// Adds one allocation of `capacity` bytes, `used` of them in use. Adds none if `capacity` is
    /// 0.
    ///
    /// The bytes not in use count as bytes that `shrink_to_fit` frees. If the type cannot shrink,
    /// add the leaves one by one instead.
    #[inline]
    pub fn allocation(&mut self, at: Position, used: usize, capacity: usize) {
        self.allocations(at, Tally::of(used, capacity));
    }

    /// Adds the byte buffers that a tally counted.
    pub fn allocations(&mut self, at: Position, tally: Tally) {
        let used = tally.len.min(tally.capacity);
        self.leaf(at, LeafKind::Data, used);
        self.leaf(at, LeafKind::Spare, tally.capacity - used);
        self.count_allocations(at, tally.allocations);
        self.shrinkable(at, tally.capacity, tally.capacity - used);
    }

    /// Adds the buffers of `T` values that a tally counted.
    ///
    /// This includes the inline bytes of the values, but not what they own.
    #[inline]
    pub fn buffers<T: MemoryProfile>(&mut self, at: Position, tally: Tally) {
        self.buffers_of(at, tally, size_of::<T>(), T::inline);
    }

    /// Adds the buffers that a tally counted. This function is separate from
    /// [`buffers`](Self::buffers), so that it is compiled once instead of once per type.
    #[inline(never)]
    fn buffers_of(&mut self, at: Position, tally: Tally, size: usize, inline: Inline) {
        let Tally { allocations, len, capacity } = tally;
        let node = self.state.node(at);
        node.values = node.values.saturating_add(len as u64);
        if capacity == 0 {
            return;
        }
        node.allocations += allocations as u64;
        let spare = capacity.saturating_sub(len).saturating_mul(size);
        self.leaf(at, LeafKind::Spare, spare);
        self.shrinkable(at, capacity.saturating_mul(size), spare);
        inline(self, at, len);
    }

    /// Counts `count` allocations. Their bytes are added separately, as leaves.
    #[inline]
    pub fn count_allocations(&mut self, at: Position, count: usize) {
        self.state.node(at).allocations += count as u64;
    }

    /// Counts `count` values in a collection at a position.
    #[inline]
    pub fn count_values(&mut self, at: Position, count: usize) {
        self.state.node(at).values += count as u64;
    }

    /// Counts `count` nodes of a tree or list at a position.
    #[inline]
    pub fn count_nodes(&mut self, at: Position, count: usize) {
        self.state.rare(at).tree_nodes += count as u64;
    }

    /// Adds the inline bytes of `count` values, split over the shape's fields.
    #[inline(never)]
    pub fn inline(&mut self, at: Position, shape: &'static Shape, count: usize) {
        if let Some(kind) = shape.lump_kind() {
            self.leaf(at, kind, shape.size.saturating_mul(count));
        } else {
            let first = Position::node(self.first_field(at, shape));
            self.state.node(first).instances += count as u64;
            self.state.sharing.add(shape.size * count);
        }
    }

    /// Adds the inline bytes of `count` values of `size` bytes each as one leaf.
    ///
    /// Pointers call this in [`inline`](MemoryProfile::inline). This function takes no shape,
    /// because a shape would add a table and two functions for every type pointed to.
    #[inline(never)]
    pub(crate) fn lump(&mut self, at: Position, kind: LeafKind, size: usize, count: usize) {
        self.leaf(at, kind, size.saturating_mul(count));
    }

    /// Returns the positions of a shape's fields below a position.
    ///
    /// # Cost
    /// Takes a call, a load and a comparison, except the first time that the walk meets the shape
    /// at the position.
    #[inline]
    pub fn fields(&mut self, at: Position, shape: &'static Shape) -> Fields {
        // This is inlined, so that the shape is a constant at the field look-ups.
        Fields { base: self.find_fields(at, shape), depth: at.depth, owner: at.node, shape }
    }

    #[inline(never)]
    fn find_fields(&mut self, at: Position, shape: &'static Shape) -> u32 {
        self.first_field(at, shape)
    }

    #[inline]
    fn first_field(&mut self, at: Position, shape: &'static Shape) -> u32 {
        let node = self.state.node(at);
        if core::ptr::eq(node.shape, shape) {
            node.base
        } else {
            self.state.find_or_add_fields(at, shape)
        }
    }

    /// Returns the position of a map's keys, which is `[keys]` below the map's own position.
    #[inline]
    pub fn keys(&mut self, at: Position) -> Position {
        let keys = self.state.node(at).keys;
        let node = if keys == NO_NODE { self.state.add_keys(at) } else { keys };
        Position { node, depth: at.depth }
    }

    /// Returns the position of the entry named `name`, which is a formatted key of a map.
    ///
    /// # Cost
    /// Takes a hash look-up. A new name at this position is copied.
    pub fn entry(&mut self, at: Position, name: &str) -> Position {
        let known = self.state.find_entry(at, name);
        let node = known.unwrap_or_else(|| self.state.add_entry(at, name));
        Position { node, depth: at.depth }
    }

    /// Marks contents at this position as opaque. The profile is then no longer exact.
    ///
    /// ```
    /// use memprof::tree::OpaqueReason;
    /// use memprof::walk::{Position, Walk};
    /// use memprof::{MemoryProfile, Profile};
    ///
    /// /// A window, whose memory the system keeps to itself.
    /// struct Window(u64);
    ///
    /// impl MemoryProfile for Window {
    ///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
    ///         walk.opaque(at, OpaqueReason::Foreign);
    ///     }
    /// }
    ///
    /// let profile = Profile::of(&Window(7));
    /// assert_eq!(profile.to_string(), "Window  8 B  100.0 %   foreign\nnot exact: 1 foreign");
    /// ```
    #[cold]
    pub fn opaque(&mut self, at: Position, reason: OpaqueReason) {
        self.state.opaque(at, reason, 1);
    }

    /// Follows a handle to memory that several handles may share, so that the memory counts once.
    ///
    /// `address` identifies the memory. `strong` returns the number of handles that keep it alive,
    /// or 0 if that is unknown. `visit` adds the memory's bytes, and is called only for the first
    /// handle met. The position passed to `visit` is the handle's own if there is a single handle,
    /// otherwise below `[shared]`.
    ///
    /// ```
    /// use memprof::walk::{Position, Walk};
    /// use memprof::{MemoryProfile, Profile};
    ///
    /// /// A texture that a library counts the handles to.
    /// struct Texture { id: usize, bytes: usize, handles: usize }
    ///
    /// impl MemoryProfile for Texture {
    ///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
    ///         let bytes = self.bytes;
    ///         walk.shared(at, self.id, || self.handles, |walk, at| walk.allocation(at, bytes, bytes));
    ///     }
    /// }
    ///
    /// let textures = [(); 3].map(|()| Texture { id: 0xa0, bytes: 1000, handles: 3 });
    /// assert_eq!(Profile::of(&textures).total_bytes(), 3 * 24 + 1000);
    /// ```
    ///
    /// # Cost
    /// Takes a look-up in a table of the shared memory met so far. Nothing is stored if there is a
    /// single handle.
    #[inline]
    pub fn shared(
        &mut self,
        at: Position,
        address: usize,
        strong: impl FnOnce() -> usize,
        visit: impl FnOnce(&mut Self, Position),
    ) {
        if self.record_handle(address) {
            return;
        }
        if let Some((inside, outer)) = self.enter_shared(at, address, strong()) {
            visit(self, inside);
            self.leave_shared(outer);
        }
    }

    /// Counts a handle to memory that the walk already met, and returns whether the walk met it.
    ///
    /// This method, [`enter_shared`](Self::enter_shared) and [`leave_shared`](Self::leave_shared)
    /// are [`shared`](Self::shared) without closures, which would add three functions per type.
    #[inline(never)]
    pub(crate) fn record_handle(&mut self, address: usize) -> bool {
        self.state.sharing.record_handle(nonzero(address))
    }

    /// Returns the position of memory that `strong` handles keep alive, and the context to return
    /// to. Returns `None` if the walk already met the memory.
    #[inline]
    pub(crate) fn enter_shared(
        &mut self,
        at: Position,
        address: usize,
        strong: usize,
    ) -> Option<(Position, u32)> {
        if strong == 1 {
            return Some((at, self.state.sharing.context()));
        }
        let outer = self.state.sharing.enter(nonzero(address), strong)?;
        let node = self.state.shared_node(at, strong);
        Some((Position { node, depth: at.depth }, outer))
    }

    /// Returns to the context that was current before [`enter_shared`](Self::enter_shared).
    #[inline(never)]
    pub(crate) fn leave_shared(&mut self, outer: u32) {
        self.state.sharing.switch(outer);
    }

    /// Puts a value that is too deep to recurse into on the work list.
    ///
    /// # Cost
    /// Takes an entry of the list once per 64 levels, or once per 8 levels behind a guard.
    #[inline]
    pub fn defer<T: MemoryProfile>(&mut self, value: &'a T, at: Position) {
        self.push_deferred(layout::as_manually_drop(value), at);
    }

    /// Adds a value to the work list. This function is separate from [`defer`](Self::defer), so
    /// that it is compiled once instead of once per type.
    #[cold]
    #[inline(never)]
    fn push_deferred(&mut self, value: &'a (dyn Deferred + 'a), at: Position) {
        let depth = if self.state.guards == 0 { 0 } else { MAX_DEPTH - MAX_DEPTH_GUARDED };
        let context = self.state.sharing.context();
        self.work_list.push(WorkItem { value, at: Position { node: at.node, depth }, context });
    }

    /// Adds everything that a guarded value owns. The walk visits all of it before the call
    /// returns, because the value only lives as long as its guard.
    pub fn guarded<T: MemoryProfile + ?Sized>(&mut self, value: &T, at: Position) {
        if let Some(mut nested) = Nested::begin(self, at) {
            value.owned(&mut nested.inner, at);
            nested.inner.drain();
        }
    }

    /// Adds what [`guarded`](Self::guarded) adds, and the value's inline bytes.
    pub fn guarded_pointee<T: MemoryProfile + ?Sized>(&mut self, value: &T, at: Position) {
        if let Some(mut nested) = Nested::begin(self, at) {
            value.pointee(&mut nested.inner, at);
            nested.inner.drain();
            return;
        }
        self.leaf(at, LeafKind::of_lump::<T>(), size_of_val(value));
    }

    fn drain(&mut self) {
        while let Some(WorkItem { value, at, context }) = self.work_list.pop() {
            if self.should_stop() {
                self.mark_unvisited(at, 1);
                continue;
            }
            let outer = self.state.sharing.switch(context);
            value.resume(self, at);
            self.state.sharing.switch(outer);
        }
    }
}

/// Replaces the address 0, which marks a free lane in the table of shared memory. No allocation is
/// at the last address.
#[inline]
fn nonzero(address: usize) -> usize {
    if address == 0 { usize::MAX } else { address }
}

/// A walk with its own work list, for values that only live as long as a guard.
///
/// It takes the tree from the outer walk and returns it when dropped, also during a panic.
struct Nested<'w, 'g> {
    outer: &'w mut WalkState,
    inner: Walk<'g>,
}

impl<'w: 'g, 'g> Nested<'w, 'g> {
    fn begin(outer: &'w mut Walk<'_>, at: Position) -> Option<Self> {
        if outer.state.guards == MAX_GUARDS {
            outer.opaque(at, OpaqueReason::TooDeep);
            return None;
        }
        let Walk { state: outer, observer, .. } = outer;
        outer.guards += 1;
        let mut inner = Walk::with_state(core::mem::take(outer));
        if let Some(observer) = observer {
            inner.observer = Some(&mut **observer);
        }
        Some(Self { outer, inner })
    }
}

impl Drop for Nested<'_, '_> {
    fn drop(&mut self) {
        *self.outer = core::mem::take(&mut self.inner.state);
        self.outer.guards -= 1;
    }
}

/// A value on the work list.
struct WorkItem<'a> {
    value: &'a (dyn Deferred + 'a),
    at: Position,
    context: u32,
}

/// The only method of a value that the work list needs.
///
/// The work list does not use `dyn MemoryProfile`, and this trait is implemented for values that
/// are never dropped. Otherwise the vtable would make the compiler emit every method of the trait,
/// and the drop code, for every type. That doubles the compile time of derived code.
trait Deferred {
    fn resume<'a>(&'a self, walk: &mut Walk<'a>, at: Position);
}

impl<T: MemoryProfile> Deferred for ManuallyDrop<T> {
    fn resume<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        (**self).owned(walk, at);
    }
}

impl core::fmt::Debug for Walk<'_> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("Walk")
            .field("paths", &self.state.len())
            .field("waiting", &self.work_list.len())
            .finish()
    }
}

#[cfg(test)]
mod tests;
