//! When a walk calls its observer: about once per 256 values, and once per address if requested.

use crate::observer::Observer;

/// The number of values visited between two calls of the observer: about 10 µs of cache misses.
pub(crate) const CHECK_INTERVAL: usize = 256;

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
    phase: Phase,
    /// The number of values that may be visited before the observer is called again.
    remaining: usize,
}

/// How far a sampled walk got. Each phase ends when the observer stops it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    /// The walk is not sampled.
    #[default]
    None,
    /// The walk visits all values.
    Whole,
    /// The walk leaves large slices for the sample.
    Outside,
    /// The walk only draws.
    Sample,
    Ended,
}

impl Watch {
    pub(crate) fn begin(observer: &dyn Observer) -> Self {
        Self { is_observed: true, reports_addresses: observer.wants_blocks(), ..Self::default() }
    }

    /// Returns the state of a sampled walk.
    pub(crate) fn begin_sampled(observer: &dyn Observer) -> Self {
        Self { phase: Phase::Whole, ..Self::begin(observer) }
    }

    /// Returns whether the observer wants addresses.
    #[inline]
    pub(crate) fn reports_addresses(self) -> bool {
        self.reports_addresses
    }

    /// Returns whether the walk has an observer.
    #[inline]
    pub(crate) fn is_observed(self) -> bool {
        self.is_observed
    }

    /// Returns whether the walk was stopped.
    #[inline]
    pub(crate) fn is_stopped(self) -> bool {
        self.is_stopped
    }

    /// Returns whether the walk draws elements of slices at the moment.
    #[inline]
    pub(crate) fn is_drawing(self) -> bool {
        self.is_drawing
    }

    /// Begins to draw, even if the walk outside the sample was stopped. No addresses are reported.
    pub(crate) fn begin_drawing(&mut self) {
        self.is_drawing = true;
        self.is_stopped = self.phase == Phase::Ended;
        self.reports_addresses = false;
    }

    /// Ends the drawing. `outer` is the state before it.
    pub(crate) fn end_drawing(&mut self, outer: Self) {
        self.is_drawing = false;
        self.is_stopped = self.phase >= Phase::Sample;
        self.reports_addresses = outer.reports_addresses;
    }

    /// Returns whether a slice with `len` values left is left for the sample.
    pub(crate) fn leaves_slice(self, len: usize) -> bool {
        self.phase > Phase::Whole && !self.is_drawing && len > SMALL_SLICE
    }

    /// Makes the next [`take_chunk`](Self::take_chunk) call the observer if fewer than `len` values
    /// may be visited before.
    pub(crate) fn prepare_group(&mut self, len: usize) {
        if self.remaining < len {
            self.remaining = 0;
        }
    }

    /// Returns how many of `len` values to visit before the observer is called again, or 0 if it
    /// stopped the walk.
    pub(crate) fn take_chunk(
        &mut self,
        len: usize,
        mut observer: Option<&mut (dyn Observer + '_)>,
    ) -> usize {
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

    /// Returns what [`take_chunk`](Self::take_chunk) returns, or 0 if a slice with `len` values left
    /// is left for the sample.
    pub(crate) fn take_chunk_of_slice(
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

#[cfg(test)]
mod tests;
