//! Buffers, whose bytes wait in sums until the tree needs them.

use super::Walk;
use crate::MemoryProfile;
use crate::position::Position;
use crate::state::Elements;
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
        self.check_recursion(None);
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
        match &mut self.tree {
            Some(tree) => tree.add_buffers(at, Elements::TEXT, tally),
            None => self.add_to_total(tally.capacity),
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
        let elements = Elements { size: size_of::<T>(), shape: Some(T::shape) };
        match &mut self.tree {
            Some(tree) => tree.add_buffers(at, elements, tally),
            None => self.add_to_total(elements.bytes(tally)),
        }
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
