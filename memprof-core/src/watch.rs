//! When a walk calls its observer: about once per 256 values, and once per address if requested.

use crate::observer::Observer;

/// The number of values visited between two calls of the observer: about 10 µs of cache misses.
pub(crate) const CHECK_INTERVAL: usize = 256;

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
    /// The plan of a sampled walk skips the current collection. The walk goes on after it.
    Skipped,
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
    pub(crate) fn is_stopped(self) -> bool {
        self.stop.is_some()
    }

    /// Returns whether the observer stopped the walk.
    #[inline]
    pub(crate) fn was_stopped_by_observer(self) -> bool {
        self.stop == Some(Stop::Observer)
    }

    /// Returns whether the walk visits a random sample of large slices.
    #[inline]
    pub(crate) fn is_sampled(self) -> bool {
        self.sample != Sample::None
    }

    /// Returns whether the walk draws elements of a slice at the moment.
    #[inline]
    pub(crate) fn is_drawing(self) -> bool {
        self.sample == Sample::Drawing
    }

    /// Sets whether the walk draws elements of a slice.
    pub(crate) fn set_drawing(&mut self, is_drawing: bool) {
        self.sample = if is_drawing { Sample::Drawing } else { Sample::Outside };
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
        observer: Option<&mut (dyn Observer + '_)>,
    ) -> usize {
        if self.remaining == 0 && self.stop.is_none() {
            let stops = observer.is_some_and(Observer::stops);
            self.stop = stops.then_some(Stop::Observer);
            self.remaining = if stops { 0 } else { CHECK_INTERVAL };
        }
        let chunk_len = len.min(self.remaining);
        self.remaining -= chunk_len;
        chunk_len
    }

    /// Stops the walk until the caller restores the state of before.
    pub(crate) fn stop_to_skip(&mut self) {
        self.stop = Some(Stop::Skipped);
        self.remaining = 0;
    }
}

#[cfg(test)]
mod tests;
