//! The time or the number of elements that an estimate may take, and its other settings.

use crate::walk::{Handles, Observer};
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
    pub(super) at_most: Option<u64>,
    seed: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
enum Limit {
    Time(Duration),
    Elements(u64),
}

/// The number of elements that a walk visits between two calls of its observer.
const STEP: u64 = 256;

/// The parts of a budget at which the phases of a sampled walk end: the visit of all values, the
/// visit of everything except large slices, and the draws.
type Phases = [f64; 3];

/// The rest of the time is for the tree, which takes up to twice the time of a walk that only visits
/// named entries. So such an estimate takes about one and a half times its budget.
const PHASES_OF_TIME: Phases = [0.4, 0.5, 0.7];

const PHASES_OF_ELEMENTS: Phases = [0.5, 0.75, 1.0];

impl Budget {
    /// Returns a budget of time.
    ///
    /// An impl that takes a long time for a single value exceeds the budget.
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

    pub(super) fn seed_or_new(&self) -> u64 {
        self.seed.unwrap_or_else(|| RandomState::new().hash_one(0_u8))
    }
}

pub(super) struct Meter<'o> {
    limit: Limit,
    began: Instant,
    /// The number of elements that the walk was allowed to visit so far.
    elements: u64,
    ended: usize,
    is_stopped: bool,
    observer: &'o mut dyn Observer,
}

impl<'o> Meter<'o> {
    pub(super) fn new(budget: &Budget, observer: &'o mut dyn Observer) -> Self {
        let (limit, began) = (budget.limit, Instant::now());
        Self { limit, began, elements: 0, ended: 0, is_stopped: false, observer }
    }

    /// Returns the used part of the budget: 0 at the start, 1 when the budget is used up.
    fn used(&self) -> f64 {
        let used = match self.limit {
            Limit::Time(time) => self.began.elapsed().as_secs_f64() / time.as_secs_f64(),
            Limit::Elements(elements) => self.elements as f64 / elements as f64,
        };
        if used.is_nan() { 1.0 } else { used }
    }
}

impl Observer for Meter<'_> {
    fn stops(&mut self) -> bool {
        self.is_stopped = self.is_stopped || self.observer.stops();
        let phases = match self.limit {
            Limit::Time(_) => PHASES_OF_TIME,
            Limit::Elements(_) => PHASES_OF_ELEMENTS,
        };
        let until = phases.get(self.ended).copied().unwrap_or_default();
        let stops = self.is_stopped || self.used() >= until;
        if stops {
            self.ended += 1;
        } else {
            self.elements += STEP;
        }
        stops
    }

    fn wants_blocks(&self) -> bool {
        self.observer.wants_blocks()
    }

    fn block(&mut self, address: usize) {
        self.observer.block(address);
    }

    fn max_graph(&self) -> usize {
        self.observer.max_graph()
    }

    fn handles(&mut self, handles: Handles) {
        self.observer.handles(handles);
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, Meter};
    use crate::large::Unlimited;
    use crate::walk::Observer;
    use std::time::Duration;

    #[test]
    fn each_phase_ends_at_its_part_of_the_elements() {
        let mut observer = Unlimited;
        let mut meter = Meter::new(&Budget::elements(2560), &mut observer);
        let mut steps = || (0..100).take_while(|_| !meter.stops()).count();
        assert_eq!([steps(), steps(), steps(), steps()], [5, 3, 2, 0]);
    }

    #[test]
    fn an_empty_budget_is_used_up_at_once() {
        for budget in [Budget::elements(0), Budget::time(Duration::ZERO)] {
            let mut observer = Unlimited;
            let mut meter = Meter::new(&budget, &mut observer);
            assert!([(); 4].iter().all(|()| meter.stops()), "{budget:?}");
        }
    }

    #[test]
    fn seeds_differ_unless_one_is_set() {
        let budget = Budget::elements(1);
        assert_ne!(budget.seed_or_new(), budget.seed_or_new());
        assert_eq!(budget.seed(7).seed_or_new(), 7);
    }
}
