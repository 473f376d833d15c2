//! The clock of a session, the times between its snapshots, and deadlines.
//!
//! The trend test of leaks needs at least five observations, one for each snapshot. With the default
//! interval alone, a leak that does not raise the peak would be found after 25 s. So the first
//! snapshots come at shorter intervals, unless the user has set an interval.
//!
//! Deadlines nest: each step gets the remaining time. A request to end the program shortens the
//! deadlines of work in progress.
#![cfg_attr(unix, expect(unsafe_code, reason = "reads the clock in a signal handler"))]

use super::config::Config;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    began: Instant,
    unix_ns: u64,
}

impl Clock {
    pub(crate) fn start() -> Self {
        let unix = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { began: Instant::now(), unix_ns: nanoseconds(unix) }
    }

    /// Setting the system clock does not change them.
    pub(crate) fn now_ns(self) -> u64 {
        nanoseconds(self.began.elapsed())
    }

    pub(crate) fn started_unix_ns(self) -> u64 {
        self.unix_ns
    }

    /// Returns the moment `at_ns` nanoseconds after the start of the session, in RFC 3339.
    pub(crate) fn moment(self, at_ns: u64) -> String {
        let moment = UNIX_EPOCH + Duration::from_nanos(self.unix_ns.saturating_add(at_ns));
        humantime::format_rfc3339_millis(moment).to_string()
    }
}

/// Returns a duration in nanoseconds, at most the largest `u64`: 584 years.
pub(crate) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

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

    /// Returns the time to the next snapshot, if the interval has doubled this number of times.
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

/// The moment at which a signal or `exit` requested the end of the program.
static END_REQUESTED_NS: AtomicU64 = AtomicU64::new(NEVER);

const NEVER: u64 = u64::MAX;

/// The maximum time that work in progress may take after a request to end the program.
const GRACE: Duration = Duration::from_millis(100);

/// Returns nanoseconds of a monotonic clock. May be called from a signal handler.
///
/// The clock has no start in a `OnceLock`: a thread that was initialising it at a fork would block
/// the child forever.
#[cfg(unix)]
#[allow(clippy::unnecessary_fallible_conversions, reason = "the types differ between systems")]
pub(crate) fn now_ns() -> u64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a local time.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now) };
    let seconds = Duration::from_secs(now.tv_sec.try_into().unwrap_or(0));
    nanoseconds(seconds).saturating_add(now.tv_nsec.try_into().unwrap_or(0))
}

#[cfg(not(unix))]
pub(crate) fn now_ns() -> u64 {
    use std::sync::OnceLock;
    use std::time::Instant;

    static START: OnceLock<Instant> = OnceLock::new();
    nanoseconds(START.get_or_init(Instant::now).elapsed())
}

pub(crate) fn forget_end_request() {
    END_REQUESTED_NS.store(NEVER, Relaxed);
}

/// Cuts all deadlines but those of [`Deadline::of_end`]. May be called from a signal handler.
#[cfg(unix)]
pub(crate) fn request_end() {
    END_REQUESTED_NS.fetch_min(now_ns(), Relaxed);
}

/// A moment by which a step returns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    ends_ns: u64,
    is_of_end: bool,
}

impl Deadline {
    /// A request to end the program shortens it to [`GRACE`] after the request.
    pub(crate) fn after(time: Duration) -> Self {
        Self { ends_ns: now_ns().saturating_add(nanoseconds(time)), is_of_end: false }
    }

    pub(crate) fn of_end(requested_ns: u64, time: Duration) -> Self {
        Self { ends_ns: requested_ns.saturating_add(nanoseconds(time)), is_of_end: true }
    }

    pub(crate) fn within(self, max: Duration) -> Self {
        let ends_ns = self.ends_ns.min(now_ns().saturating_add(nanoseconds(max)));
        Self { ends_ns, ..self }
    }

    /// Returns a deadline after 1/`parts` of the remaining time.
    pub(crate) fn part(self, parts: u32) -> Self {
        self.within(self.left() / parts)
    }

    pub(crate) fn left(self) -> Duration {
        let mut ends_ns = self.ends_ns;
        if !self.is_of_end {
            let requested = END_REQUESTED_NS.load(Relaxed);
            ends_ns = ends_ns.min(requested.saturating_add(nanoseconds(GRACE)));
        }
        Duration::from_nanos(ends_ns.saturating_sub(now_ns()))
    }

    pub(crate) fn is_over(self) -> bool {
        self.left().is_zero()
    }
}

#[cfg(test)]
mod tests {
    use super::{Config, SECOND, Schedule};
    use std::time::Duration;

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
