//! The end of recursion: values that are too deep wait until the stack is shallow again.
//!
//! A walk recurses through at most [`MAX_DEPTH`] pointers. Deeper values wait on the work list, which
//! the root's frame drains, so the depth of a value costs no stack. The limit counts pointers, because
//! the order of the visits decides which handle is charged for shared memory, and this order must not
//! depend on how much stack the compiler uses. If unusually large frames use up
//! [`STACK_BYTES`] before, values wait too.
//!
//! The list is a stack: the walk takes the value that was added last. So a guard that was inserted
//! below the values behind it is dropped directly after the last of them was visited.

use super::Walk;
use crate::MemoryProfile;
use crate::layout::{Deferred, Held, OnHeap, visit_behind};
use crate::position::Position;
use crate::sampling::WaitingSlice;
use crate::shape::Shape;
use core::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The maximum number of pointers that the walk follows by recursion.
pub(super) const MAX_DEPTH: u32 = 64;

/// The bytes of stack below the root's frame after which values wait at any depth.
const STACK_BYTES: usize = 64 * 1024;

/// The bytes of stack below [`STACK_BYTES`] that no value takes, if its impl lets the walk follow
/// pointers.
const RECURSION_BYTES: usize = 512 * 1024;

/// An element of the work list.
pub(crate) enum Waiting<'a> {
    /// A value to visit.
    Value { value: Deferred<'a>, at: Position, context: u32 },
    /// A slice that the walk left for the sample.
    Slice(WaitingSlice<'a>),
    /// A guard of the values that were above it.
    Guard(Box<dyn Held + 'a>),
}

/// # Values behind guards
impl<'a> Walk<'a> {
    /// Adds what a guarded value owns. The walk drops the guard after it visited everything that it
    /// reached through the value.
    ///
    /// ```
    /// use memprof::tree::OpaqueReason;
    /// use memprof::walk::{Position, Walk};
    /// use memprof::{MemoryProfile, Profile};
    /// use std::sync::Mutex;
    ///
    /// struct Names { lock: Mutex<Vec<String>> }
    ///
    /// impl MemoryProfile for Names {
    ///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
    ///         match self.lock.try_lock() {
    ///             Ok(guard) => walk.guarded(guard, at),
    ///             Err(_) => walk.opaque(at, OpaqueReason::Locked),
    ///         }
    ///     }
    /// }
    ///
    /// let names = Names { lock: Mutex::new(vec![String::from("alpha")]) };
    /// assert_eq!(Profile::of(&names).total_bytes(), size_of::<Names>() as u64 + 24 + 5);
    /// ```
    ///
    /// # Cost
    /// Takes one allocation for the guard.
    pub fn guarded<G>(&mut self, guard: G, at: Position)
    where
        G: Deref<Target: MemoryProfile> + 'a,
    {
        visit_behind(OnHeap::new(guard), self, |value, walk| value.owned(walk, at));
    }

    /// Adds what [`guarded`](Self::guarded) adds, and the value's inline bytes.
    pub fn guarded_pointee<G>(&mut self, guard: G, at: Position)
    where
        G: Deref<Target: MemoryProfile> + 'a,
    {
        visit_behind(OnHeap::new(guard), self, |value, walk| value.pointee(walk, at));
    }
}

impl<'a> Walk<'a> {
    /// Returns whether a value at this position has to wait.
    #[inline]
    pub(super) fn is_deep(&self, at: Position) -> bool {
        let here = 0_u8;
        // A value from the work list never waits again at its own position.
        at.depth >= MAX_DEPTH || at.depth != 0 && (&raw const here).addr() < self.stack_limit
    }

    /// Panics if an impl recursed without the walk, which would have made the value wait. The panic
    /// precedes the overflow of a stack of 1 MiB or more. `shape` is that of the impl's type, if it is
    /// known.
    #[inline]
    pub(super) fn check_recursion(&self, shape: Option<&'static Shape>) {
        let here = 0_u8;
        if cfg!(debug_assertions) && (&raw const here).addr() + RECURSION_BYTES < self.stack_limit {
            self.panic_of_recursion(shape);
        }
    }

    #[cold]
    #[inline(never)]
    fn panic_of_recursion(&self, shape: Option<&'static Shape>) -> ! {
        let root = self.tree.as_ref().map_or("the root", |tree| tree.root_type);
        let (inside, name) = shape.map_or(("a type in ", root), |shape| ("", shape.type_name()));
        panic!(
            "the stack would overflow: the impl of `MemoryProfile` for {inside}`{name}` calls `owned` \
             of a value behind a pointer; call `Walk::boxed` or `Walk::pointee` of the value instead"
        );
    }

    /// Visits a root, and everything that waits behind it.
    ///
    /// If an impl panics, guards on the work list are dropped before the panic goes on. During a
    /// panic, a dropped guard would poison its lock.
    pub(super) fn visit_root<T: MemoryProfile + ?Sized>(&mut self, root: &'a T, at: Position) {
        if let Some(tree) = &mut self.tree {
            tree.followed.add_root((&raw const *root).addr(), size_of_val(root));
        }
        let here = 0_u8;
        self.stack_limit = (&raw const here).addr().saturating_sub(STACK_BYTES);
        let visited = catch_unwind(AssertUnwindSafe(|| {
            root.pointee(self, at);
            self.drain_to(0);
            if self.sampling.is_some() {
                self.draw_last();
            }
        }));
        if let Err(panic) = visited {
            self.work_list.clear();
            resume_unwind(panic);
        }
    }

    /// Adds a value to the work list, because it is too deep to recurse into.
    #[cold]
    #[inline(never)]
    pub(super) fn defer(&mut self, value: Deferred<'a>, at: Position) {
        let context = self.context();
        let at = Position { node: at.node, depth: 0 };
        self.work_list.push(Waiting::Value { value, at, context });
    }

    /// Adds a slice to the work list, so that a guard stays below it.
    pub(crate) fn defer_slice(&mut self, slice: WaitingSlice<'a>) {
        self.work_list.push(Waiting::Slice(slice));
    }

    /// Returns the length of the work list.
    #[inline]
    pub(crate) fn waiting(&self) -> usize {
        self.work_list.len()
    }

    /// Keeps a guard until the elements of the work list after the first `waiting` are visited.
    #[cold]
    pub(crate) fn hold(&mut self, waiting: usize, guard: Box<dyn Held + 'a>) {
        self.guards += 1;
        self.work_list.insert(waiting, Waiting::Guard(guard));
    }

    /// Visits the values on the work list, except the first `len` of them.
    pub(crate) fn drain_to(&mut self, len: usize) {
        while self.work_list.len() > len {
            if let Some(Waiting::Guard(_)) = self.work_list.last() {
                // The guard stays on the list, so that a panic of a draw poisons no lock.
                self.draw_guarded();
            }
            match self.work_list.pop() {
                Some(Waiting::Value { value, at, context }) => {
                    let outer = self.switch_context(context);
                    value.visit(self, at);
                    self.switch_context(outer);
                }
                Some(Waiting::Slice(mut slice)) => {
                    slice.is_guarded = self.guards != 0;
                    self.slices.push(slice);
                }
                Some(Waiting::Guard(guard)) => {
                    self.guards -= 1;
                    drop(guard);
                }
                None => return,
            }
        }
    }
}
