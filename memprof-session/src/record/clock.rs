//! The time of a session: nanoseconds since it began, and what moment of the world's that was.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The clock of a session.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    began: Instant,
    unix_ns: u64,
}

impl Clock {
    /// Begins now.
    pub(crate) fn start() -> Self {
        let unix = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { began: Instant::now(), unix_ns: nanoseconds(unix) }
    }

    /// Nanoseconds since the session began. They go on evenly when the world's clock is set.
    pub(crate) fn now_ns(self) -> u64 {
        nanoseconds(self.began.elapsed())
    }

    /// When the session began, in nanoseconds since 1970 began.
    pub(crate) fn started_unix_ns(self) -> u64 {
        self.unix_ns
    }

    /// The moment so long after the session began, as RFC 3339 has it.
    pub(crate) fn moment(self, at_ns: u64) -> String {
        let moment = UNIX_EPOCH + Duration::from_nanos(self.unix_ns.saturating_add(at_ns));
        humantime::format_rfc3339_millis(moment).to_string()
    }
}

/// As many as a number in a file holds: 584 years.
pub(crate) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
