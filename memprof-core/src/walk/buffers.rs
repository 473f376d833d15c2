//! Buffers, whose bytes wait in sums until the tree needs them.

use super::Walk;
use crate::MemoryProfile;
use crate::frame::LeafKind;
use crate::position::Position;
use crate::shape::Inline;
use crate::state::{Elements, PendingSum};
use crate::tally::Tally;

/// # Buffers
impl Walk<'_> {
    /// Adds one allocation of `capacity` bytes, `used` of them in use. Adds none if `capacity` is
    /// 0.
    ///
    /// The bytes not in use count as bytes that `shrink_to_fit` frees. If the type cannot shrink,
    /// add the leaves one by one instead.
    #[inline]
    pub fn allocation(&mut self, at: Position, used: usize, capacity: usize) {
        self.allocations(at, Tally::of(used.min(capacity), capacity));
    }

    /// Adds one buffer with room for `capacity` values of type `T`, of which `len` exist. Adds none
    /// if `capacity` is 0, or if values of `T` take no bytes.
    ///
    /// `start` is an address in the buffer. The buffer includes the inline bytes of the values, but
    /// not what they own. To add that too, call [`slice`](Self::slice) or [`values`](Self::values).
    ///
    /// ```
    /// use memprof::walk::{Position, Walk};
    /// use memprof::{MemoryProfile, Profile};
    ///
    /// /// A vector that a C library allocated.
    /// struct Foreign<T> { start: *const T, len: usize, capacity: usize }
    ///
    /// impl<T: MemoryProfile> MemoryProfile for Foreign<T> {
    ///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
    ///         walk.buffer(at, self.start, self.len, self.capacity);
    ///     }
    /// }
    ///
    /// let numbers = vec![1_u64, 2, 3];
    /// let foreign = Foreign { start: numbers.as_ptr(), len: 3, capacity: 4 };
    /// assert_eq!(Profile::of(&foreign).total_bytes(), 24 + 4 * 8);
    /// ```
    #[inline]
    pub fn buffer<T: MemoryProfile>(
        &mut self,
        at: Position,
        start: *const T,
        len: usize,
        capacity: usize,
    ) {
        if capacity == 0 || size_of::<T>() == 0 {
            self.count_values(at, len);
            return;
        }
        self.buffers::<T>(at, Tally::of(len, capacity.max(len)));
        self.block(start.addr());
    }

    /// Adds the byte buffers that a tally counted.
    #[inline]
    pub(crate) fn allocations(&mut self, at: Position, tally: Tally) {
        if self.tree.is_some() {
            self.accumulate(at, Elements::TEXT, tally);
        } else {
            self.add_to_total(tally.capacity);
        }
    }

    /// Adds the byte buffer of a text, which begins at `start`.
    #[inline]
    pub(crate) fn text(&mut self, at: Position, start: usize, used: usize, capacity: usize) {
        self.allocations(at, Tally::of(used, capacity));
        self.block_of(start, capacity);
    }

    /// Adds the buffers of `T` values that a tally counted.
    ///
    /// The buffers include the inline bytes of the values, but not what they own.
    #[inline]
    pub(crate) fn buffers<T: MemoryProfile>(&mut self, at: Position, tally: Tally) {
        if self.tree.is_some() {
            let elements = Elements { size: size_of::<T>(), inline: Some(T::inline) };
            self.accumulate(at, elements, tally);
        } else if tally.capacity != 0 {
            let bytes =
                (tally.capacity.max(tally.len) as u64).saturating_mul(size_of::<T>() as u64);
            self.total = self.total.saturating_add(bytes);
        }
    }

    /// Adds buffers to the pending sum of their node.
    #[inline]
    fn accumulate(&mut self, at: Position, elements: Elements, tally: Tally) {
        let Some(tree) = &mut self.tree else { return };
        if !tree.add_to_sum(at, elements, tally) {
            let Tally { allocations, len, capacity } = tally;
            self.begin_sum(at.node, elements.size, elements.inline, allocations, len, capacity);
        }
    }

    /// Begins a pending sum with buffers. The arguments are numbers, because the callers would
    /// write structs to the stack even if they do not call this.
    #[cold]
    #[inline(never)]
    fn begin_sum(
        &mut self,
        node: u32,
        size: usize,
        inline: Option<Inline>,
        allocations: usize,
        len: usize,
        capacity: usize,
    ) {
        let Some(tree) = &mut self.tree else { return };
        if len == 0 && capacity == 0 {
            return;
        }
        let (at, elements) = (Position::node(node), Elements { size, inline });
        let tally = Tally { allocations, len, capacity };
        if !tree.uses_sums() {
            self.add_buffers(at, elements, tally);
        } else if let Some(sum) = tree.begin_sum(at, elements, tally) {
            self.add_sum(sum);
        }
    }

    /// Adds all pending sums to the tree. From now on, buffers are added to the tree at once.
    pub(crate) fn end_sums(&mut self) {
        let Some(tree) = &mut self.tree else { return };
        for sum in tree.pending.end() {
            self.add_sum(sum);
        }
    }

    /// Adds a pending sum to the tree. Its bytes already count in the current context.
    fn add_sum(&mut self, sum: PendingSum) {
        let Some(tree) = &mut self.tree else { return };
        let context = tree.sharing.pause();
        self.add_buffers(sum.at(), sum.elements, sum.tally);
        if let Some(tree) = &mut self.tree {
            tree.sharing.resume(context);
        }
    }

    /// Adds buffers to the tree.
    #[inline]
    fn add_buffers(&mut self, at: Position, elements: Elements, tally: Tally) {
        let Some(tree) = &mut self.tree else { return };
        let Elements { size, inline } = elements;
        let Some(inline) = inline else { return tree.add_allocations(at, tally) };
        let Tally { allocations, len, capacity } = tally;
        let node = tree.node(at);
        node.values = node.values.saturating_add(len as u64);
        if capacity == 0 {
            return;
        }
        node.allocations += allocations as u64;
        let spare = capacity.saturating_sub(len).saturating_mul(size);
        node.add_bytes(LeafKind::Spare, spare);
        node.excess.add(capacity.saturating_mul(size), spare);
        tree.sharing.add(spare);
        inline(self, at, len);
    }

    /// Records allocations of `bytes` bytes in total, of which `shrink_to_fit` frees `freed`.
    #[inline]
    pub fn shrinkable(&mut self, at: Position, bytes: usize, freed: usize) {
        if let Some(tree) = &mut self.tree {
            tree.node(at).excess.add(bytes, freed);
        }
    }

    /// Records `bytes` bytes of tree nodes. Rebuilding the tree from its entries in order frees
    /// `freed` of them.
    #[inline]
    pub fn compactable(&mut self, at: Position, bytes: usize, freed: usize) {
        let Some(tree) = &mut self.tree else { return };
        tree.node(at).excess.add(bytes, 0);
        if freed > 0 {
            let compactable = &mut tree.rare(at).compactable;
            *compactable = compactable.saturating_add(freed as u64);
        }
    }
}
