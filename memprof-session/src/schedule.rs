//! The times between the snapshots of the interval.
//!
//! The trend test of leaks needs at least five observations, one for each snapshot. With the default
//! interval alone, a leak that does not raise the peak would be found after 25 s. So the first
//! snapshots come at shorter intervals, unless the user has set an interval.

use super::config::Config;
use std::time::Duration;

/// The times between the snapshots of the interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Schedule {
    interval: Duration,
    begins_dense: bool,
}

const SECOND: Duration = Duration::from_secs(1);

impl Schedule {
    pub(crate) fn new(config: &Config) -> Self {
        Self { interval: config.interval, begins_dense: config.begins_dense }
    }

    /// Returns the time from a snapshot at `at_ns` to the next one, in a session whose interval has
    /// doubled this number of times.
    pub(crate) fn after(self, at_ns: u64, doublings: u32) -> Duration {
        let doubled = 2_u32.saturating_pow(doublings);
        self.undoubled(at_ns).saturating_mul(doubled)
    }

    fn undoubled(self, at_ns: u64) -> Duration {
        let dense = match Duration::from_nanos(at_ns) {
            at if at < 15 * SECOND => SECOND,
            at if at < 60 * SECOND => 2 * SECOND,
            _ => self.interval,
        };
        if self.begins_dense { dense.min(self.interval) } else { self.interval }
    }
}

#[cfg(test)]
mod tests {
    use super::{Config, SECOND, Schedule};
    use std::time::Duration;

    /// Returns the seconds of the snapshots of the first 75 s.
    fn seconds(config: &Config) -> Vec<u64> {
        let schedule = Schedule::new(config);
        let after = |at: &Duration| Some(*at + schedule.after(at.as_nanos() as u64, 0));
        let times = core::iter::successors(Some(Duration::ZERO), after);
        times.map(|at| at.as_secs()).take_while(|second| *second <= 75).collect()
    }

    #[test]
    fn a_session_without_an_interval_begins_with_more_snapshots() {
        let expected: Vec<u64> = (0..15).chain((15..60).step_by(2)).chain([61, 66, 71]).collect();
        assert_eq!(seconds(&Config::default()), expected);
    }

    #[test]
    fn an_interval_that_the_user_set_stays_as_it_is() {
        let config = |seconds| Config {
            interval: seconds * SECOND,
            begins_dense: false,
            ..Config::default()
        };
        assert_eq!(seconds(&config(5)), (0..=75).step_by(5).collect::<Vec<_>>());
        assert_eq!(seconds(&config(60)), [0, 60]);
        assert_eq!(Schedule::new(&config(5)).after(0, 3), 40 * SECOND);
        assert_eq!(Schedule::new(&config(5)).after(0, u32::MAX), (5 * SECOND) * u32::MAX);
    }
}
