//! Calls to the observer of a walk: about one per 256 values, and one per address if requested.

use crate::state::WalkState;
use crate::tree::OpaqueReason;
use crate::walk::{Observer, Position, Walk};

/// The number of values visited between two calls of the observer: about 10 µs of cache misses.
const CHECK_INTERVAL: usize = 256;

/// The state of an observed walk. Without [`begin`](Self::begin) the walk is not observed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Watch {
    is_observed: bool,
    reports_addresses: bool,
    stop: Option<Stop>,
    sample: Sample,
    /// The number of values that may be visited before the observer is called again.
    remaining: usize,
}

/// The part of a sampled walk that is under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Sample {
    /// The walk is not sampled.
    #[default]
    None,
    /// The walk visits values outside sampled slices.
    Outside,
    /// The walk draws elements of a slice.
    Drawing,
}

/// The reason why a walk was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    Observer,
    /// An obstacle in a captured subtree. The walk goes on after the subtree.
    Obstacle,
}

impl Watch {
    pub(crate) fn begin(observer: &dyn Observer) -> Self {
        Self { is_observed: true, reports_addresses: observer.wants_blocks(), ..Self::default() }
    }

    /// Returns the state of a sampled walk, which reports no addresses.
    pub(crate) fn begin_sampled() -> Self {
        Self { is_observed: true, sample: Sample::Outside, ..Self::default() }
    }

    /// Returns whether the observer wants addresses.
    pub(crate) fn reports_addresses(self) -> bool {
        self.reports_addresses
    }

    /// Stops the walk because of an obstacle in a captured subtree.
    #[cold]
    pub(crate) fn stop_at_obstacle(&mut self) {
        self.is_observed = true;
        self.stop = self.stop.or(Some(Stop::Obstacle));
        self.remaining = 0;
    }

    /// Returns whether an obstacle stopped the walk.
    pub(crate) fn is_obstructed(self) -> bool {
        self.stop == Some(Stop::Obstacle)
    }
}

impl Walk<'_> {
    /// Returns whether a loop should visit its next value. If not, the loop should end, and its
    /// `remaining` values are marked [out of time](OpaqueReason::OutOfTime) at the position.
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
    ///             if !walk.has_time(at, remaining) {
    ///                 break;
    ///             }
    ///             buffer.owned(walk, at);
    ///             remaining -= 1;
    ///         }
    ///     }
    /// }
    ///
    /// /// Ends a walk at once.
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
    /// assert!(stopped.root().opaque().eq([(OpaqueReason::OutOfTime, 3)]));
    /// ```
    ///
    /// # Cost
    /// Takes a load and a branch without an observer.
    #[inline]
    pub fn has_time(&mut self, at: Position, remaining: usize) -> bool {
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
        self.watch.reports_addresses
    }

    /// Returns whether the walk reports addresses or is sampled. Any other walk visits each slice
    /// in chunks.
    #[inline]
    pub(crate) fn is_special(&self) -> bool {
        self.watch.reports_addresses || self.watch.sample != Sample::None
    }

    /// Returns whether the walk visits a random sample of large slices.
    #[inline]
    pub(crate) fn is_sampled(&self) -> bool {
        self.watch.sample != Sample::None
    }

    /// Returns whether the walk draws elements of a slice at the moment.
    #[inline]
    pub(crate) fn is_drawing(&self) -> bool {
        self.watch.sample == Sample::Drawing
    }

    /// Sets whether the walk draws elements of a slice.
    pub(crate) fn set_drawing(&mut self, is_drawing: bool) {
        self.watch.sample = if is_drawing { Sample::Drawing } else { Sample::Outside };
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
        self.watch.is_observed
    }

    /// Returns whether the walk was stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        self.watch.stop.is_some()
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
            self.mark_opaque(at, OpaqueReason::OutOfTime, count as u64);
        }
    }

    /// Returns whether to visit the next `len` values, which are fewer than [`CHECK_INTERVAL`]. Calls
    /// the observer first if fewer values may be visited before its next call.
    #[cold]
    #[inline(never)]
    pub(crate) fn take_group(&mut self, len: usize) -> bool {
        if self.watch.remaining < len {
            self.watch.remaining = 0;
        }
        self.take_chunk(len) == len
    }

    /// Returns how many of `len` values to visit next. After the walk was stopped, returns more
    /// than `len`.
    #[inline]
    pub(crate) fn chunk_len(&mut self, len: usize, at: Position) -> usize {
        if self.is_observed() && len != 0 { self.chunk_len_or_mark(len, at) } else { len }
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
        let watch = &mut self.watch;
        if watch.remaining == 0 && watch.stop.is_none() {
            let stops = self.observer.as_mut().is_some_and(|observer| observer.stops());
            watch.stop = stops.then_some(Stop::Observer);
            watch.remaining = if stops { 0 } else { CHECK_INTERVAL };
        }
        let chunk_len = len.min(watch.remaining);
        watch.remaining -= chunk_len;
        chunk_len
    }

    #[cold]
    #[inline(never)]
    fn report_address(&mut self, address: usize) {
        let Some(observer) = &mut self.observer else { return };
        observer.block(address);
        if let Some(WalkState { log: Some(log), .. }) = self.tree.as_deref_mut() {
            if observer.keeps_block(address) {
                log.addresses.push(address);
            }
        }
    }
}

#[cfg(test)]
mod tests;
