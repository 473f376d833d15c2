//! The time or the number of elements that an estimate may take, and its other settings.

use crate::walk::Observer;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::time::{Duration, Instant};

/// The time or the number of visited elements that an estimate may take.
///
/// ```
/// use memprof::large::Budget;
/// use std::time::Duration;
///
/// let short = Budget::time(Duration::from_millis(10));
/// let repeatable = Budget::elements(100_000).seed(7).at_most(64 << 20);
/// # let _ = (short, repeatable);
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Budget {
    limit: Limit,
    at_most: Option<u64>,
    seed: Option<u64>,
}

/// A limit on the work of a walk.
#[derive(Clone, Copy, Debug)]
enum Limit {
    Time(Duration),
    Elements(u64),
}

/// The number of elements that a walk visits between two calls of its observer.
const STEP: u64 = 256;

impl Budget {
    /// Returns a budget of time.
    ///
    /// Only the elements of slices are sampled. Other values, such as the entries of a map, are
    /// visited one by one until the budget is used up. An impl that takes long for a single value
    /// exceeds the budget.
    pub fn time(time: Duration) -> Self {
        Self { limit: Limit::Time(time), at_most: None, seed: None }
    }

    /// Returns a budget of visited elements, in steps of 256.
    ///
    /// With a fixed [`seed`](Self::seed), an estimate with this budget is reproducible.
    pub fn elements(elements: u64) -> Self {
        Self { limit: Limit::Elements(elements), at_most: None, seed: None }
    }

    /// Sets the maximum number of bytes that the value can own on the host, for example the live
    /// bytes of the heap. Without this limit, the interval of an estimate has no upper end, because
    /// a single element that was not drawn may own any amount.
    ///
    /// The bytes of the value itself, its `size_of_val`, need not be included.
    ///
    /// ```
    /// use memprof::large::Budget;
    /// use memprof::Profile;
    ///
    /// let names = vec![String::from("alpha"); 100_000];
    /// let estimate = Profile::estimate(&names, Budget::elements(10_000).at_most(16 << 20));
    /// assert_eq!(estimate.total().high, Some((16 << 20) + 24));
    /// ```
    pub fn at_most(self, bytes: u64) -> Self {
        Self { at_most: Some(bytes), ..self }
    }

    /// Sets the seed of the random numbers. Default: a new one for each estimate.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed: Some(seed), ..self }
    }

    pub(super) fn upper_limit(&self) -> Option<u64> {
        self.at_most
    }

    /// Returns the seed that was set, or a new one.
    pub(super) fn seed_or_new(&self) -> u64 {
        self.seed.unwrap_or_else(|| RandomState::new().hash_one(0_u8))
    }

    /// Returns the part of the budget for a walk over the whole value. If this walk completes, the
    /// result is exact.
    ///
    /// A third of 10 milliseconds is enough to draw several thousand elements. A budget of elements
    /// is often smaller than that, so half of it is reserved for the sample.
    pub(super) fn complete_part(&self) -> f64 {
        match self.limit {
            Limit::Time(_) => 2.0 / 3.0,
            Limit::Elements(_) => 0.5,
        }
    }

    /// Returns the number of elements; `None` for a budget of time.
    pub(super) fn element_limit(&self) -> Option<u64> {
        match self.limit {
            Limit::Elements(elements) => Some(elements),
            Limit::Time(_) => None,
        }
    }
}

/// The use of one budget by several walks.
pub(super) struct Meter<'o> {
    limit: Limit,
    began: Instant,
    /// The number of elements that walks were allowed to visit so far.
    elements: u64,
    /// The part of the budget at which the current walk stops, between 0 and 1.
    until: f64,
    /// `true` if the observer of the caller stopped a walk.
    is_stopped: bool,
    /// `true` if the current walk was stopped.
    has_ended: bool,
    observer: &'o mut dyn Observer,
    reports_blocks: bool,
}

impl<'o> Meter<'o> {
    pub(super) fn new(budget: &Budget, observer: &'o mut dyn Observer) -> Self {
        let limit = budget.limit;
        Self {
            limit,
            began: Instant::now(),
            elements: 0,
            until: 1.0,
            is_stopped: false,
            has_ended: false,
            observer,
            reports_blocks: false,
        }
    }

    /// Returns the used part of the budget: 0 at the start, 1 when the budget is used up.
    pub(super) fn used(&self) -> f64 {
        let used = match self.limit {
            Limit::Time(time) => self.began.elapsed().as_secs_f64() / time.as_secs_f64(),
            Limit::Elements(elements) => self.elements as f64 / elements as f64,
        };
        if used.is_nan() { 1.0 } else { used }
    }

    /// Begins a walk that stops when this part of the budget is used.
    pub(super) fn begin(&mut self, until: f64, reports_blocks: bool) -> &mut Self {
        (self.until, self.reports_blocks) = (until, reports_blocks);
        self.has_ended = false;
        self
    }

    /// Returns whether the current walk was stopped.
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Returns whether the observer of the caller stopped a walk.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }
}

impl Observer for Meter<'_> {
    fn stops(&mut self) -> bool {
        self.is_stopped |= self.observer.stops();
        let stops = self.is_stopped || self.used() >= self.until;
        self.has_ended |= stops;
        if !stops {
            self.elements += STEP;
        }
        stops
    }

    fn wants_blocks(&self) -> bool {
        self.reports_blocks && self.observer.wants_blocks()
    }

    fn block(&mut self, address: usize) {
        self.observer.block(address);
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, Meter};
    use crate::walk::Observer;
    use std::time::Duration;

    struct Unlimited;

    impl Observer for Unlimited {}

    #[test]
    fn a_walk_stops_at_its_part_of_the_elements() {
        let mut observer = Unlimited;
        let mut meter = Meter::new(&Budget::elements(2560), &mut observer);
        let mut steps = |until| (0..100).take_while(|_| !meter.begin(until, false).stops()).count();
        assert_eq!((steps(0.5), steps(0.5), steps(1.0)), (5, 0, 5));
    }

    #[test]
    fn an_empty_budget_is_used_up_at_once() {
        for budget in [Budget::elements(0), Budget::time(Duration::ZERO)] {
            assert!(Meter::new(&budget, &mut Unlimited).stops(), "{budget:?}");
        }
    }

    #[test]
    fn seeds_differ_unless_one_is_set() {
        let budget = Budget::elements(1);
        assert_ne!(budget.seed_or_new(), budget.seed_or_new());
        assert_eq!(budget.seed(7).seed_or_new(), 7);
    }
}
