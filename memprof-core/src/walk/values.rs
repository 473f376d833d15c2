//! Visits of values in slices, other collections and maps, and of values behind pointers.
//!
//! These are the only loops over values that a walk makes, so they alone limit the recursion, call
//! the observer and decide between sums in registers and single values.
//!
//! Values that are too deep wait until the stack is shallow again. A walk recurses through at most
//! [`MAX_DEPTH`] pointers. Deeper values wait on the work list, which the root's frame drains, so
//! the depth of a value costs no stack. The limit counts pointers, because the order of the visits
//! decides which handle is charged for shared memory, and this order must not depend on how much
//! stack the compiler uses. If unusually large frames use up [`STACK_BYTES`] before, values wait
//! too.
//!
//! The list is a stack: the walk takes the value that was added last. So a guard that was inserted
//! below the values behind it is dropped directly after the last of them was visited.

use crate::MemoryProfile;
use crate::layout::{Deferred, Held, OnHeap, Visit, prefetch, visit_behind};
use crate::sampling::WaitingSlice;
use crate::shape::{Position, Shape};
use crate::sharing::ContextId;
use crate::state::Tally;
use crate::walk::Walk;
use crate::walk::observer::ChunkOf;
use crate::words::{LeafKind, OpaqueReason};
use core::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The number of values of a collection that are visited together.
const GROUP: usize = 32;

struct Owned;
struct Elements;
struct Pointee;

impl<T: MemoryProfile> Visit<T> for Owned {
    fn visit<'a>(value: &'a T, walk: &mut Walk<'a>, at: Position) {
        if walk.should_continue(at, 1) {
            value.owned(walk, at);
        }
    }
}

impl<T: MemoryProfile> Visit<[T]> for Elements {
    fn visit<'a>(values: &'a [T], walk: &mut Walk<'a>, at: Position) {
        walk.slice(values, at);
    }
}

impl<T: MemoryProfile + ?Sized> Visit<T> for Pointee {
    fn visit<'a>(value: &'a T, walk: &mut Walk<'a>, at: Position) {
        walk.pointee(value, at);
    }
}

/// An iterator over at most `left` values. Many collections have iterators without a length.
pub(crate) struct Counted<I> {
    pub(crate) values: I,
    pub(crate) left: usize,
}

impl<I: Iterator> Counted<I> {
    /// Returns the next value. If the walk was stopped, marks all values that are left instead.
    #[inline]
    pub(crate) fn next_or_mark(&mut self, walk: &mut Walk<'_>, at: Position) -> Option<I::Item> {
        if self.left == 0 || !walk.should_continue(at, self.left) {
            return None;
        }
        self.next()
    }
}

impl<I: Iterator> Iterator for Counted<I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        let next = if self.left == 0 { None } else { self.values.next() };
        // Other threads may have removed values since the length was read.
        self.left = if next.is_some() { self.left - 1 } else { 0 };
        next
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

/// # Values of collections, and values behind pointers
impl<'a> Walk<'a> {
    /// Adds what each of `values` owns. Their inline bytes are added separately, for example by
    /// [`buffer`](Self::buffer).
    ///
    /// ```
    /// use memprof::walk::{Position, Walk};
    /// use memprof::{MemoryProfile, Profile};
    ///
    /// /// Names that a C library allocated at once.
    /// struct Names { start: *const String, count: usize, all: Vec<String> }
    ///
    /// impl MemoryProfile for Names {
    ///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
    ///         walk.buffer(at, self.start, self.count, self.count);
    ///         walk.slice(&self.all, at);
    ///     }
    /// }
    ///
    /// let all = vec![String::from("alpha"); 3];
    /// let names = Names { start: all.as_ptr(), count: 3, all };
    /// assert_eq!(Profile::of(&names).total_bytes(), 40 + 3 * 24 + 3 * 5);
    /// ```
    ///
    /// # Cost
    /// Flat values are not visited. Otherwise the loop adds to the tree once per field of the
    /// values, not once per value.
    #[inline]
    pub fn slice<T: MemoryProfile>(&mut self, values: &'a [T], at: Position) {
        if T::is_flat() || values.is_empty() {
            return;
        }
        if self.is_deep(at) {
            self.defer(Deferred::new::<Elements, [T]>(values), at);
            return;
        }
        let at = at.deeper();
        if self.wants_blocks() {
            // A tally of several values has no addresses.
            self.values_one_by_one(values, at);
            return;
        }
        let mut values = values;
        // Observed and other walks share one call, because the call is inlined into the loop.
        while let Some((now, later)) =
            values.split_at_checked(self.chunk_len(values.len(), ChunkOf::Slice))
        {
            T::owned_slice(now, self, at);
            if later.is_empty() {
                return;
            }
            values = later;
        }
        self.leave_slice(values, at);
    }

    #[cold]
    #[inline(never)]
    fn values_one_by_one<T: MemoryProfile>(&mut self, values: &'a [T], at: Position) {
        for (index, value) in values.iter().enumerate() {
            if self.chunk_len(1, ChunkOf::Slice) != 1
                || self.watch.leaves_slice(values.len() - index)
            {
                return self.leave_slice(&values[index..], at);
            }
            value.owned(self, at);
        }
    }

    /// Adds what each of `values` owns, for a collection that is not a slice. Their inline bytes
    /// are added separately, for example by [`buffer`](Self::buffer).
    ///
    /// ```
    /// use memprof::walk::{Position, Walk};
    /// use memprof::{MemoryProfile, Profile};
    ///
    /// /// A ring of buffers.
    /// struct Ring { buffers: [Option<Vec<u8>>; 8] }
    ///
    /// impl MemoryProfile for Ring {
    ///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
    ///         walk.values(self.buffers.iter().flatten(), at);
    ///     }
    /// }
    ///
    /// let ring = Ring { buffers: std::array::from_fn(|n| (n < 3).then(|| vec![0; 100])) };
    /// assert_eq!(Profile::of(&ring).total_bytes(), 8 * 24 + 3 * 100);
    /// ```
    ///
    /// # Cost
    /// Takes as long as [`slice`](Self::slice), plus the iteration.
    #[inline]
    pub fn values<T: MemoryProfile + 'a>(
        &mut self,
        values: impl IntoIterator<Item = &'a T>,
        at: Position,
    ) {
        if T::is_flat() {
            return;
        }
        self.visit_groups(values.into_iter(), at);
    }

    /// Adds the keys and values of a map: the keys at `[keys]`, the values at the map's position,
    /// with all that they own. All other bytes of the map are added separately.
    ///
    /// ```
    /// use memprof::tree::LeafKind;
    /// use memprof::walk::{Position, Walk};
    /// use memprof::{MemoryProfile, Profile};
    ///
    /// /// A small map in a sorted vector.
    /// struct Sorted { entries: Vec<(String, u64)> }
    ///
    /// impl MemoryProfile for Sorted {
    ///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
    ///         let spare = self.entries.capacity() - self.entries.len();
    ///         walk.count_allocations(at, usize::from(self.entries.capacity() != 0));
    ///         walk.leaf(at, LeafKind::Spare, spare * size_of::<(String, u64)>());
    ///         walk.pairs(self.entries.iter().map(|(key, value)| (key, value)), at);
    ///     }
    /// }
    ///
    /// let sorted = Sorted { entries: vec![(String::from("alpha"), 1), (String::from("beta"), 2)] };
    /// assert_eq!(Profile::of(&sorted).total_bytes(), 24 + 2 * 32 + 5 + 4);
    /// ```
    ///
    /// # Cost
    /// Takes as long as [`values`](Self::values). Entries without owned memory are not visited.
    #[inline]
    pub fn pairs<K: MemoryProfile + 'a, V: MemoryProfile + 'a>(
        &mut self,
        entries: impl IntoIterator<Item = (&'a K, &'a V), IntoIter: ExactSizeIterator>,
        at: Position,
    ) {
        let entries = entries.into_iter();
        let len = entries.len();
        let keys = self.add_inline_pairs::<K, V>(len, at);
        self.owned_pairs(entries, len, keys, at);
    }

    /// Adds the inline bytes of `len` keys and values, and returns the position of the keys.
    #[inline]
    pub(crate) fn add_inline_pairs<K: MemoryProfile, V: MemoryProfile>(
        &mut self,
        len: usize,
        at: Position,
    ) -> Position {
        let keys = self.keys(at);
        self.inline(keys, K::shape(), len);
        self.inline(at, V::shape(), len);
        keys
    }

    /// Entries that own nothing are not visited.
    #[inline]
    pub(crate) fn owned_pairs<K: MemoryProfile + 'a, V: MemoryProfile + 'a>(
        &mut self,
        entries: impl Iterator<Item = (&'a K, &'a V)>,
        len: usize,
        keys: Position,
        at: Position,
    ) {
        match (K::is_flat(), V::is_flat()) {
            (true, true) => {}
            (true, false) => self.table_values(entries.map(|entry| entry.1), len, at, at),
            (false, true) => self.table_values(entries.map(|entry| entry.0), len, keys, at),
            (false, false) => {
                self.visit_pairs(entries, keys, at);
            }
        }
    }

    /// If the walk is stopped, marks the remaining values at `mark_at`.
    ///
    /// In a table, the addresses of the next values do not depend on earlier values. The processor
    /// then loads several values at once without the groups of [`values`](Self::values).
    #[inline]
    pub(crate) fn table_values<T: MemoryProfile + 'a>(
        &mut self,
        values: impl Iterator<Item = &'a T>,
        len: usize,
        at: Position,
        mark_at: Position,
    ) {
        if T::is_flat() {
            return;
        }
        let mut values = Counted { values, left: len };
        if self.is_deep(at) || self.wants_blocks() {
            self.visit_groups(values, at);
            return;
        }
        while values.left != 0 {
            let chunk = self.chunk_len(values.left, ChunkOf::Table);
            if chunk > values.left {
                return self.mark_unvisited(mark_at, values.left);
            }
            T::owned_each(values.by_ref().take(chunk), self, at.deeper());
        }
    }

    /// Adds what each key and each value owns. Iterates over all entries, even if they own nothing.
    /// Returns `false` if the observer stopped the walk before the last entry.
    #[inline]
    pub(crate) fn visit_pairs<K: MemoryProfile + 'a, V: MemoryProfile + 'a>(
        &mut self,
        entries: impl Iterator<Item = (&'a K, &'a V)>,
        keys: Position,
        at: Position,
    ) -> bool {
        if self.is_deep(at) {
            for (key, value) in entries {
                if !self.should_continue(at, 1) {
                    return false;
                }
                self.descend(key, keys);
                self.descend(value, at);
            }
            return true;
        }
        // These types never lead to shared memory, so the order in which keys and values are visited
        // makes no difference to an observed walk.
        let is_tallied = (K::is_flat() || K::is_tallied()) && (V::is_flat() || V::is_tallied());
        if is_tallied && !self.is_observed() {
            let (keys, at) = (keys.deeper(), at.deeper());
            let (mut key_tally, mut value_tally) = (Tally::default(), Tally::default());
            for (key, value) in entries {
                key.tally(&mut key_tally, self, keys);
                value.tally(&mut value_tally, self, at);
            }
            K::settle(key_tally, self, keys);
            V::settle(value_tally, self, at);
            return true;
        }
        if K::is_flat() {
            return self.visit_groups(entries.map(|(_, value)| value), at);
        }
        let mut entries = entries;
        while let Some((first_key, first_value)) = entries.next() {
            let mut key_group = [first_key; GROUP];
            let mut value_group = [first_value; GROUP];
            let slots = key_group[1..].iter_mut().zip(&mut value_group[1..]);
            let mut len = 1;
            for ((key_slot, value_slot), (key, value)) in slots.zip(entries.by_ref()) {
                prefetch((&raw const *key).addr());
                prefetch((&raw const *value).addr());
                *key_slot = key;
                *value_slot = value;
                len += 1;
            }
            if !self.should_continue_with(len, entries.size_hint().0, at) {
                return false;
            }
            self.visit_group(&key_group[..len], keys.deeper());
            self.visit_group(&value_group[..len], at.deeper());
        }
        true
    }

    /// Returns `false` if the observer stopped the walk before the last value.
    #[inline]
    fn visit_groups<T: MemoryProfile + 'a>(
        &mut self,
        mut values: impl Iterator<Item = &'a T>,
        at: Position,
    ) -> bool {
        if self.is_deep(at) && !T::is_tallied() {
            for value in values {
                if !self.should_continue(at, 1) {
                    return false;
                }
                self.descend(value, at);
            }
            return true;
        }
        while let Some(first) = values.next() {
            let mut group = [first; GROUP];
            let mut len = 1;
            for (slot, value) in group[1..].iter_mut().zip(values.by_ref()) {
                prefetch((&raw const *value).addr());
                *slot = value;
                len += 1;
            }
            if !self.should_continue_with(len, values.size_hint().0, at) {
                return false;
            }
            self.visit_group(&group[..len], at.deeper());
        }
        true
    }

    /// Returns whether a loop should visit its next `len` values. If not, marks them and the `left`
    /// values behind them.
    ///
    /// An observed walk uses the same groups as any other walk, because the first handle that a
    /// walk meets decides where shared memory counts.
    #[inline]
    fn should_continue_with(&mut self, len: usize, left: usize, at: Position) -> bool {
        let should_continue = !self.is_observed() || self.take_group(len);
        if !should_continue {
            self.mark_unvisited(at, len + left);
        }
        should_continue
    }

    /// Puts a value on the work list if it is too deep to recurse into. Returns whether it did.
    ///
    /// The collections of std call this first, so that the list has one entry for a collection and
    /// not one for each value.
    #[inline]
    pub(crate) fn defers<T: MemoryProfile>(&mut self, value: &'a T, at: Position) -> bool {
        if self.is_deep(at) {
            self.defer(Deferred::new::<Owned, T>(value), at);
            return true;
        }
        false
    }

    /// All collections of a type share this function, so it is compiled once per type. It visits
    /// the values after their collection was read, so that the processor loads several at once.
    fn visit_group<T: MemoryProfile>(&mut self, group: &[&'a T], at: Position) {
        if self.wants_blocks() {
            // A tally of several values has no addresses.
            for &value in group {
                value.owned(self, at);
            }
        } else {
            T::owned_each(group.iter().copied(), self, at);
        }
    }

    #[inline]
    pub(crate) fn descend<T: MemoryProfile>(&mut self, value: &'a T, at: Position) {
        if self.is_deep(at) && !T::is_flat() {
            self.defer(Deferred::new::<Owned, T>(value), at);
        } else {
            value.owned(self, at.deeper());
        }
    }

    /// Adds a value in an allocation of its own, as in a `Box`: the allocation, the value's bytes
    /// and what the value owns.
    ///
    /// ```
    /// use memprof::walk::{Position, Walk};
    /// use memprof::{MemoryProfile, Profile};
    /// use std::ptr::NonNull;
    ///
    /// /// A pointer that frees its value when dropped.
    /// struct Owner<T>(NonNull<T>);
    ///
    /// impl<T: MemoryProfile> MemoryProfile for Owner<T> {
    ///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
    ///         // SAFETY: an `Owner` always has a value, which nothing changes while it is borrowed.
    ///         walk.boxed(unsafe { self.0.as_ref() }, at);
    ///     }
    /// }
    ///
    /// let mut name = String::from("alpha");
    /// let owner = Owner(NonNull::from(&mut name));
    /// assert_eq!(Profile::of(&owner).total_bytes(), 8 + 24 + 5);
    /// ```
    ///
    /// # Cost
    /// Takes as long as [`pointee`](Self::pointee).
    #[inline]
    pub fn boxed<T: MemoryProfile + ?Sized>(&mut self, value: &'a T, at: Position) {
        let bytes = size_of_val(value);
        self.count_allocations(at, usize::from(bytes != 0));
        self.block_of((&raw const *value).addr(), bytes);
        self.pointee(value, at);
    }

    /// Adds the bytes of a value behind a pointer, and what the value owns. After the walk was
    /// stopped, adds only the bytes.
    ///
    /// This method does not count the allocation. [`boxed`](Self::boxed) does the same and counts
    /// the allocation too.
    ///
    /// # Cost
    /// Takes as long as [`MemoryProfile::pointee`], plus two branches. A value behind 64 pointers
    /// is visited later, from a list, so that the stack stays small.
    #[inline]
    pub fn pointee<T: MemoryProfile + ?Sized>(&mut self, value: &'a T, at: Position) {
        if self.is_deep(at) {
            self.defer(Deferred::new::<Pointee, T>(value), at);
        } else if self.should_stop() {
            self.leaf(at, LeafKind::of_lump::<T>(), size_of_val(value));
            self.mark_unvisited(at, 1);
        } else {
            let at = self.at_concrete_type(value, at);
            value.pointee(self, at.deeper());
        }
    }

    /// Returns the position of a value behind a pointer: that of its concrete type if it is a trait
    /// object.
    ///
    /// If the trait has no `MemoryProfile` as a supertrait, as in `dyn Error`, the impl is that of the
    /// object, which does not know the concrete type.
    #[inline]
    pub(crate) fn at_concrete_type<T: MemoryProfile + ?Sized>(
        &mut self,
        value: &T,
        at: Position,
    ) -> Position {
        if const { size_of::<&T>() > size_of::<usize>() } {
            let object = core::any::type_name::<T>();
            if let Some(tree) = self.tree.as_mut().filter(|_| object.starts_with("dyn ")) {
                let concrete = value.type_name();
                if concrete != object {
                    return at.with_node(tree.node_of_type(at, concrete));
                }
            }
        }
        at
    }
}

/// The maximum number of pointers that the walk follows by recursion.
pub(super) const MAX_DEPTH: u32 = 64;

/// The bytes of stack below the root's frame after which values wait at any depth.
const STACK_BYTES: usize = 64 * 1024;

/// The bytes of stack below [`STACK_BYTES`] that no value takes, if its impl lets the walk follow
/// pointers.
const RECURSION_BYTES: usize = 512 * 1024;

pub(crate) enum Waiting<'a> {
    /// A value to visit.
    Value { value: Deferred<'a>, at: Position, context: ContextId },
    /// A slice that the walk left to sampling.
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
    /// Costs one allocation for the guard.
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
    fn is_deep(&self, at: Position) -> bool {
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
            "the impl of `MemoryProfile` for {inside}`{name}` calls `owned` on a value behind a \
             pointer, which would overflow the stack; call `Walk::boxed` or `Walk::pointee` instead"
        );
    }

    /// Returns whether a shared value is the root, which counts already. If the root is a part of the
    /// value, marks the value, because that part counts twice.
    #[inline]
    pub(crate) fn leaves_out_root<T: ?Sized>(&mut self, value: &T, at: Position) -> bool {
        let (start, size) = ((&raw const *value).addr(), size_of_val(value));
        self.root.0.wrapping_sub(start) < size && self.compare_with_root((start, size), at)
    }

    #[cold]
    #[inline(never)]
    fn compare_with_root(&mut self, value: (usize, usize), at: Position) -> bool {
        if self.root != value && self.root.1 != 0 {
            self.opaque(at, OpaqueReason::Followed);
        }
        self.root == value
    }

    /// If an impl panics, guards on the work list are dropped before the panic continues. During a
    /// panic, a dropped guard would poison its lock.
    pub(super) fn visit_root<T: MemoryProfile + ?Sized>(&mut self, root: &'a T, at: Position) {
        if let Some(tree) = &mut self.tree {
            tree.add_root(root);
        }
        self.root = ((&raw const *root).addr(), size_of_val(root));
        let here = 0_u8;
        self.stack_limit = (&raw const here).addr().saturating_sub(STACK_BYTES);
        let visited = catch_unwind(AssertUnwindSafe(|| {
            root.pointee(self, at);
            self.drain_to(0);
            if let Some(hooks) = self.hooks {
                (hooks.last)(self);
            }
        }));
        if let Err(panic) = visited {
            self.work_list.clear();
            resume_unwind(panic);
        }
    }

    #[cold]
    #[inline(never)]
    fn defer(&mut self, value: Deferred<'a>, at: Position) {
        let context = self.context();
        let at = Position { node: at.node, depth: 0 };
        self.work_list.push(Waiting::Value { value, at, context });
    }

    /// Adds a slice to the work list, so that a guard stays below it.
    pub(crate) fn defer_slice(&mut self, slice: WaitingSlice<'a>) {
        self.work_list.push(Waiting::Slice(slice));
    }

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
                if let Some(hooks) = self.hooks {
                    (hooks.guarded)(self);
                }
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
