//! The interval between readings, chosen so that readings take at most 1 % of the time.

use core::time::Duration;

/// The interval between two readings. It doubles if the median reading takes more than 1 % of it,
/// and halves if the median takes less than 0.25 % of it.
#[derive(Debug)]
pub(crate) struct Pace {
    interval: Duration,
    /// The interval that the user set.
    shortest: Duration,
    /// The durations of the last readings.
    costs: Vec<Duration>,
}

impl Pace {
    /// The number of readings whose median counts, so that one slow reading changes nothing.
    const LOOKED_AT: usize = 15;
    const SHARE: u32 = 100;
    /// The interval halves below a quarter of the limit. A half would let it oscillate.
    const QUICK: u32 = 4;
    const LONGEST: Duration = Duration::from_mins(1);

    pub(crate) fn new(interval: Duration) -> Self {
        Self { interval, shortest: interval, costs: Vec::with_capacity(Self::LOOKED_AT) }
    }

    pub(crate) fn interval(&self) -> Duration {
        self.interval
    }

    /// Records how long a reading took.
    pub(crate) fn took(&mut self, cost: Duration) {
        self.costs.push(cost);
        if self.costs.len() < Self::LOOKED_AT {
            return;
        }
        self.costs.sort_unstable();
        let median = self.costs[Self::LOOKED_AT / 2];
        self.costs.clear();
        if median * Self::SHARE > self.interval {
            self.interval = (self.interval * 2).min(Self::LONGEST.max(self.interval));
        } else if median * Self::SHARE < self.interval / Self::QUICK {
            self.interval = (self.interval / 2).max(self.shortest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pace;
    use core::time::Duration;

    fn after(costs: impl IntoIterator<Item = u64>) -> Duration {
        let mut pace = Pace::new(Duration::from_millis(100));
        costs.into_iter().for_each(|micros| pace.took(Duration::from_micros(micros)));
        pace.interval()
    }

    #[test]
    fn the_interval_doubles_as_long_as_reading_takes_more_than_a_hundredth_of_it() {
        assert_eq!(after([999; 1000]), Duration::from_millis(100));
        assert_eq!(after([1001; 15]), Duration::from_millis(200));
        assert_eq!(after([4500; 1000]), Duration::from_millis(800));
        assert_eq!(after([10_000_000; 1000]), Duration::from_mins(1));
    }

    #[test]
    fn the_interval_comes_back_when_the_driver_does() {
        let slow = [10_000; 100];
        assert_eq!(after(slow), Duration::from_millis(1600));
        assert_eq!(after(slow.into_iter().chain([3_000; 1000])), Duration::from_millis(800));
        assert_eq!(after(slow.into_iter().chain([10; 1000])), Duration::from_millis(100));
    }

    #[test]
    fn a_reading_that_was_held_up_once_changes_nothing() {
        let costs = (0..1000).map(|at| if at % 15 < 7 { 1_000_000 } else { 10 });
        assert_eq!(after(costs), Duration::from_millis(100));
    }
}
