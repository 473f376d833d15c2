//! The calls to the observer of a walk, and the state of a walk that has one.

use super::Walk;
use crate::opaque::OpaqueReason;
use crate::position::Position;

impl Walk<'_> {
    /// Returns whether a loop should visit its next value. If not, the loop must end, and its
    /// `remaining` values are marked [stopped](OpaqueReason::Stopped) at the position.
    ///
    /// ```
    /// use memprof::tree::OpaqueReason;
    /// use memprof::walk::{Observer, Position, Walk};
    /// use memprof::{MemoryProfile, Profile};
    ///
    /// /// A ring of buffers.
    /// struct Ring { buffers: [Option<Vec<u8>>; 8] }
    ///
    /// impl MemoryProfile for Ring {
    ///     fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
    ///         let mut remaining = self.buffers.iter().flatten().count();
    ///         for buffer in self.buffers.iter().flatten() {
    ///             if !walk.should_continue(at, remaining) {
    ///                 break;
    ///             }
    ///             buffer.owned(walk, at);
    ///             remaining -= 1;
    ///         }
    ///     }
    /// }
    ///
    /// /// Stops a walk at once.
    /// struct Never;
    ///
    /// impl Observer for Never {
    ///     fn stops(&mut self) -> bool { true }
    /// }
    ///
    /// let ring = Ring { buffers: std::array::from_fn(|n| (n < 3).then(|| vec![0; 100])) };
    /// assert_eq!(Profile::of(&ring).total_bytes(), 8 * 24 + 3 * 100);
    /// let stopped = Profile::observed("ring", &ring, &mut Never);
    /// assert_eq!(stopped.total_bytes(), 8 * 24);
    /// assert!(stopped.root().opaque().eq([(OpaqueReason::Stopped, 3)]));
    /// ```
    ///
    /// # Cost
    /// Takes a load and a branch without an observer.
    #[inline]
    pub fn should_continue(&mut self, at: Position, remaining: usize) -> bool {
        if !self.should_stop() {
            return true;
        }
        self.mark_unvisited(at, remaining);
        false
    }

    /// Reports an address in a counted allocation to the observer. The address is the start of the
    /// allocation, or inside the allocation.
    ///
    /// # Cost
    /// Takes a load and a branch if the observer wants no addresses.
    #[inline]
    pub fn block(&mut self, address: usize) {
        if self.wants_blocks() {
            self.report_address(address);
        }
    }

    /// Returns whether the observer wants addresses. Call this first if an address takes time to
    /// find.
    #[inline]
    pub fn wants_blocks(&self) -> bool {
        self.watch.reports_addresses()
    }

    /// Returns whether the walk draws elements of slices at the moment.
    #[inline]
    pub(crate) fn is_drawing(&self) -> bool {
        self.watch.is_drawing()
    }

    /// Reports the address of an allocation of `bytes` bytes, unless `bytes` is 0.
    #[inline]
    pub(crate) fn block_of(&mut self, address: usize, bytes: usize) {
        if self.wants_blocks() && bytes != 0 {
            self.report_address(address);
        }
    }

    /// Returns whether the walk has an observer.
    #[inline]
    pub(crate) fn is_observed(&self) -> bool {
        self.watch.is_observed()
    }

    /// Returns whether the walk was stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        self.watch.is_stopped()
    }

    /// Returns whether a walk leaves out shared contents because its observer stopped it, and marks
    /// them if so.
    ///
    /// The values that the walk did not visit come first in a complete walk. If one of them leads to
    /// the same contents, a complete walk counts the contents there.
    #[inline]
    pub(crate) fn leaves_out_shared(&mut self, at: Position) -> bool {
        let leaves_out = self.is_observed() && self.is_stopped();
        if leaves_out {
            self.mark_unvisited(at, 1);
        }
        leaves_out
    }

    /// Counts a value that is about to be visited. Returns whether the walk was stopped.
    #[inline]
    pub(crate) fn should_stop(&mut self) -> bool {
        self.is_observed() && self.take_chunk(1) == 0
    }

    /// Marks `count` values as not visited because the walk was stopped.
    #[cold]
    #[inline(never)]
    pub(crate) fn mark_unvisited(&mut self, at: Position, count: usize) {
        if count != 0 {
            self.mark_opaque(at, OpaqueReason::Stopped, count as u64);
        }
    }

    /// Returns whether to visit the next `len` values, which are fewer than the values between two
    /// calls of the observer. Calls it first if fewer values may be visited before its next call.
    #[cold]
    #[inline(never)]
    pub(crate) fn take_group(&mut self, len: usize) -> bool {
        self.watch.prepare_group(len);
        self.take_chunk(len) == len
    }

    /// Returns how many of `len` values to visit next. After the walk was stopped, returns more
    /// than `len`.
    #[inline]
    pub(crate) fn chunk_len(&mut self, len: usize, at: Position) -> usize {
        if self.is_observed() && len != 0 { self.chunk_len_or_mark(len, at) } else { len }
    }

    /// Returns how many of the `len` remaining values of a slice to visit next. If the walk was
    /// stopped, or leaves the slice for the sample, returns more than `len`.
    #[inline]
    pub(crate) fn slice_chunk_len(&mut self, len: usize) -> usize {
        if self.is_observed() && len != 0 { self.slice_chunk_len_or_leave(len) } else { len }
    }

    #[cold]
    #[inline(never)]
    fn slice_chunk_len_or_leave(&mut self, len: usize) -> usize {
        match self.watch.take_chunk_of_slice(len, self.observer.as_deref_mut()) {
            0 => usize::MAX,
            chunk_len => chunk_len,
        }
    }

    #[cold]
    #[inline(never)]
    fn chunk_len_or_mark(&mut self, len: usize, at: Position) -> usize {
        match self.take_chunk(len) {
            0 => {
                self.mark_unvisited(at, len);
                usize::MAX
            }
            chunk_len => chunk_len,
        }
    }

    /// Returns how many of `len` values to visit before the observer is called again, or 0 if it
    /// stopped the walk.
    #[cold]
    #[inline(never)]
    pub(crate) fn take_chunk(&mut self, len: usize) -> usize {
        self.watch.take_chunk(len, self.observer.as_deref_mut())
    }

    #[cold]
    #[inline(never)]
    fn report_address(&mut self, address: usize) {
        let Some(observer) = &mut self.observer else { return };
        observer.block(address);
    }
}
