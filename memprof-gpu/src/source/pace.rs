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
    durations: Vec<Duration>,
}

impl Pace {
    /// The number of readings from which the median is computed, so that one slow reading has no
    /// effect.
    const WINDOW: usize = 15;
    const COST_DIVISOR: u32 = 100;
    /// The interval halves below a quarter of the limit. With half of the limit as the threshold,
    /// the interval would oscillate.
    const HALVE_DIVISOR: u32 = 4;
    const MAX_INTERVAL: Duration = Duration::from_secs(60);

    pub(crate) fn new(interval: Duration) -> Self {
        Self { interval, shortest: interval, durations: Vec::with_capacity(Self::WINDOW) }
    }

    pub(crate) fn interval(&self) -> Duration {
        self.interval
    }

    /// Records the duration of a reading.
    pub(crate) fn record(&mut self, duration: Duration) {
        self.durations.push(duration);
        if self.durations.len() < Self::WINDOW {
            return;
        }
        self.durations.sort_unstable();
        let median = self.durations[Self::WINDOW / 2];
        self.durations.clear();
        if median * Self::COST_DIVISOR > self.interval {
            self.interval = (self.interval * 2).min(Self::MAX_INTERVAL.max(self.interval));
        } else if median * Self::COST_DIVISOR < self.interval / Self::HALVE_DIVISOR {
            self.interval = (self.interval / 2).max(self.shortest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Pace;
    use core::time::Duration;

    fn after(durations: impl IntoIterator<Item = u64>) -> Duration {
        let mut pace = Pace::new(Duration::from_millis(100));
        durations.into_iter().for_each(|micros| pace.record(Duration::from_micros(micros)));
        pace.interval()
    }

    #[test]
    fn the_interval_doubles_while_readings_take_over_1_percent_of_it() {
        assert_eq!(after([999; 1000]), Duration::from_millis(100));
        assert_eq!(after([1001; 15]), Duration::from_millis(200));
        assert_eq!(after([4500; 1000]), Duration::from_millis(800));
        assert_eq!(after([10_000_000; 1000]), Duration::from_secs(60));
    }

    #[test]
    fn the_interval_halves_again_once_readings_are_fast() {
        let slow = [10_000; 100];
        assert_eq!(after(slow), Duration::from_millis(1600));
        assert_eq!(after(slow.into_iter().chain([3_000; 1000])), Duration::from_millis(800));
        assert_eq!(after(slow.into_iter().chain([10; 1000])), Duration::from_millis(100));
    }

    #[test]
    fn a_reading_that_was_held_up_once_changes_nothing() {
        let durations = (0..1000).map(|at| if at % 15 < 7 { 1_000_000 } else { 10 });
        assert_eq!(after(durations), Duration::from_millis(100));
    }
}
