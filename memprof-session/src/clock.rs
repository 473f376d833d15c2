//! The time of a session: nanoseconds since it began, and the wall-clock time of that moment.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The clock of a session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    began: Instant,
    unix_ns: u64,
}

impl Clock {
    /// Starts the clock now.
    pub(crate) fn start() -> Self {
        let unix = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { began: Instant::now(), unix_ns: nanoseconds(unix) }
    }

    /// Returns the nanoseconds since the session began. Setting the system clock does not change
    /// them.
    pub(crate) fn now_ns(self) -> u64 {
        nanoseconds(self.began.elapsed())
    }

    /// Returns the start of the session in nanoseconds since 1970-01-01 00:00 UTC.
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
