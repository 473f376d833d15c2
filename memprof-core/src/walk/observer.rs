//! The observer of a walk, which can stop it and receives addresses, and when the walk calls it: about
//! once per 256 values, and once per address if requested.

use crate::shape::Position;
use crate::sharing::ContextId;
use crate::state::Mark;
use crate::walk::{Handles, Walk};
use crate::words::OpaqueReason;

/// An observer of a walk, which can stop the walk and receive the addresses of blocks.
///
/// Values that a stopped walk did not visit are marked
/// [`Stopped`](crate::tree::OpaqueReason::Stopped). The walk has no clock, so the observer decides
/// when to stop. After it has stopped the walk, shared allocations that the walk has not met are
/// marked too: a complete walk may count them at a value that was not visited.
///
/// ```
/// use memprof::tree::OpaqueReason;
/// use memprof::walk::Observer;
/// use memprof::Profile;
/// use std::time::{Duration, Instant};
///
/// /// A limit for the time of a walk.
/// struct Budget { end: Instant }
///
/// impl Observer for Budget {
///     fn stops(&mut self) -> bool {
///         Instant::now() >= self.end
///     }
/// }
///
/// let names = vec![String::from("alpha"), String::from("beta")];
/// let mut budget = Budget { end: Instant::now() };
/// let profile = Profile::observed("names", &names, &mut budget);
/// assert!(!profile.is_exact());
/// assert_eq!(profile.total_bytes(), 24 + 2 * 24);
/// assert!(profile.root().opaque().eq([(OpaqueReason::Stopped, 2)]));
/// ```
pub trait Observer {
    /// Returns `true` to stop the walk. The walk calls this at least once per 256 values, until it
    /// returns `true`.
    ///
    /// The walk may visit a few more values afterwards. These are the rest of the current 256
    /// values, in each slice that the walk has begun.
    fn stops(&mut self) -> bool {
        false
    }

    /// Returns whether the walk should report addresses. The walk calls this once, when it begins.
    ///
    /// # Cost
    /// The walk reports addresses one by one, so it takes several times as long.
    fn wants_blocks(&self) -> bool {
        false
    }

    /// Returns the largest graph from which the walk finds out [who keeps shared memory
    /// alive](crate::walk::Holders): the number of handles, shared allocations and names. 0 for none.
    /// The walk calls this once, when it begins. If the graph is larger, or if the walk draws from
    /// large slices, there is none.
    ///
    /// # Cost
    /// The walk keeps 12 bytes for each handle. At the end, the graph takes several times as long as
    /// the walk.
    fn max_graph(&self) -> usize {
        0
    }

    /// Receives the handles from a walk that may draw from large slices, instead of a graph.
    fn handles(&mut self, handles: Handles) {
        drop(handles);
    }

    /// Receives an address in an allocation that the walk counts. The address is the start of the
    /// allocation, or inside the allocation.
    ///
    /// The walk may report one block several times, with several addresses.
    fn block(&mut self, address: usize) {
        let _ = address;
    }
}

/// The number of values visited between two calls of the observer: about 10 µs of cache misses.
const CHECK_INTERVAL: usize = 256;

/// The largest number of remaining values of a slice that a sampled walk never leaves for the sample.
const SMALL_SLICE: usize = 128;

/// The number of values of a slice that a sampled walk visits before it may leave the slice. With
/// more, values that own much would use up the budget of the sample.
const SAMPLED_CHUNK: usize = 32;

/// The state of an observed walk. Without [`begin`](Self::begin) the walk is not observed.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "hot loops read each of them alone")]
pub(crate) struct Watch {
    is_observed: bool,
    reports_addresses: bool,
    is_stopped: bool,
    is_drawing: bool,
    /// True if the hook enters shared allocations.
    pub(super) uses_hook: bool,
    phase: Phase,
    /// The number of values that may be visited before the observer is called again.
    remaining: usize,
}

/// The progress of a sampled walk. Each phase ends when the observer stops it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    /// The walk is not sampled.
    #[default]
    None,
    /// The walk visits all values.
    Whole,
    /// The walk leaves large slices to sampling.
    Outside,
    /// The walk only draws.
    Sample,
    Ended,
}

/// The collection whose values a loop visits in chunks.
#[derive(Clone, Copy)]
pub(crate) enum ChunkOf {
    Slice,
    Table,
}

/// The position of shared memory, and the context to return to; `None` if it is not visited.
pub(crate) type Entered = Option<(Position, ContextId)>;

/// The functions of a walk that draws. Only such a walk names them, so other programs do not contain
/// them: those of the draws and scratch trees take 100 KB in a debug build.
pub(crate) struct Hooks {
    /// Called before the walk drops a guard.
    pub(crate) guarded: fn(&mut Walk<'_>),
    /// Called after the walk visited a root.
    pub(crate) last: fn(&mut Walk<'_>),
    /// Enters a shared allocation, from its address and the number of its handles.
    pub(crate) enter: fn(&mut Walk<'_>, Position, usize, usize) -> Entered,
}

impl Watch {
    pub(crate) fn begin(observer: &dyn Observer) -> Self {
        Self { is_observed: true, reports_addresses: observer.wants_blocks(), ..Self::default() }
    }

    pub(crate) fn begin_sampled(observer: &dyn Observer) -> Self {
        Self { phase: Phase::Whole, ..Self::begin(observer) }
    }

    /// Begins to draw, even if the walk outside the sample was stopped. No addresses are reported.
    pub(crate) fn begin_drawing(&mut self) {
        (self.is_drawing, self.uses_hook) = (true, true);
        self.is_stopped = self.phase == Phase::Ended;
        self.reports_addresses = false;
    }

    /// `outer` is the state before the drawing.
    pub(crate) fn end_drawing(&mut self, outer: Self) {
        (self.is_drawing, self.uses_hook) = (false, outer.uses_hook);
        self.is_stopped = self.phase >= Phase::Sample;
        self.reports_addresses = outer.reports_addresses;
    }

    pub(crate) fn leaves_slice(self, len: usize) -> bool {
        self.phase > Phase::Whole && !self.is_drawing && len > SMALL_SLICE
    }

    /// Makes the next [`take_chunk`](Self::take_chunk) call the observer if fewer than `len` values
    /// may be visited before.
    fn prepare_group(&mut self, len: usize) {
        if self.remaining < len {
            self.remaining = 0;
        }
    }

    /// Returns how many of `len` values to visit before the observer is called again, or 0 if it
    /// stopped the walk.
    fn take_chunk(&mut self, len: usize, mut observer: Option<&mut (dyn Observer + '_)>) -> usize {
        while self.remaining == 0 && !self.is_stopped {
            if observer.as_deref_mut().is_some_and(Observer::stops) {
                self.end_phase();
            } else {
                self.remaining = CHECK_INTERVAL;
            }
        }
        let chunk_len = len.min(self.remaining);
        self.remaining -= chunk_len;
        chunk_len
    }

    /// Returns what [`take_chunk`](Self::take_chunk) returns, or 0 if a slice with `len` remaining
    /// values is left to sampling.
    fn take_chunk_of_slice(
        &mut self,
        len: usize,
        observer: Option<&mut (dyn Observer + '_)>,
    ) -> usize {
        let max = if self.phase == Phase::None { len } else { SAMPLED_CHUNK };
        let chunk_len = self.take_chunk(len.min(max), observer);
        // The call may have ended the phase in which the walk leaves no slice.
        if self.leaves_slice(len) {
            self.remaining += chunk_len;
            return 0;
        }
        chunk_len
    }

    fn end_phase(&mut self) {
        (self.phase, self.is_stopped) = match self.phase {
            Phase::None => (Phase::None, true),
            Phase::Whole => (Phase::Outside, false),
            Phase::Outside => (Phase::Sample, !self.is_drawing),
            Phase::Sample | Phase::Ended => (Phase::Ended, true),
        };
    }
}

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
    /// Costs a load and a branch without an observer.
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
    /// Costs a load and a branch if the observer wants no addresses.
    #[inline]
    pub fn block(&mut self, address: usize) {
        if self.wants_blocks() {
            self.report_address(address);
        }
    }

    /// Returns whether the observer wants addresses. Check this first if an address is expensive to
    /// find.
    #[inline]
    pub fn wants_blocks(&self) -> bool {
        self.watch.reports_addresses
    }

    #[inline]
    pub(crate) fn is_drawing(&self) -> bool {
        self.watch.is_drawing
    }

    /// Reports the address of an allocation of `bytes` bytes, unless `bytes` is 0.
    #[inline]
    pub(crate) fn block_of(&mut self, address: usize, bytes: usize) {
        if self.wants_blocks() && bytes != 0 {
            self.report_address(address);
        }
    }

    #[inline]
    pub(crate) fn is_observed(&self) -> bool {
        self.watch.is_observed
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.watch.is_stopped
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
            self.mark(at, Mark::Opaque(OpaqueReason::Stopped), count as u64);
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

    /// Returns whether to read more of a value that takes long, after a call of the observer.
    #[cfg(feature = "memmap2_09")]
    pub(crate) fn should_read_more(&mut self) -> bool {
        !self.is_observed() || self.take_group(CHECK_INTERVAL)
    }

    /// Returns how many of `len` values to visit next. If the walk was stopped, or leaves the slice of
    /// the values for the sample, returns more than `len`.
    #[inline]
    pub(crate) fn chunk_len(&mut self, len: usize, of: ChunkOf) -> usize {
        if self.is_observed() && len != 0 { self.observed_chunk_len(len, of) } else { len }
    }

    #[cold]
    #[inline(never)]
    fn observed_chunk_len(&mut self, len: usize, of: ChunkOf) -> usize {
        let observer = self.observer.as_deref_mut();
        let chunk_len = match of {
            ChunkOf::Slice => self.watch.take_chunk_of_slice(len, observer),
            ChunkOf::Table => self.watch.take_chunk(len, observer),
        };
        if chunk_len == 0 { usize::MAX } else { chunk_len }
    }

    #[cold]
    #[inline(never)]
    fn take_chunk(&mut self, len: usize) -> usize {
        self.watch.take_chunk(len, self.observer.as_deref_mut())
    }

    #[cold]
    #[inline(never)]
    fn report_address(&mut self, address: usize) {
        let Some(observer) = &mut self.observer else { return };
        observer.block(address);
    }
}

#[cfg(test)]
mod tests;
