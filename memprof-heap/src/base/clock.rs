//! The clock of the crate, and the time since which something is recorded.

use core::time::Duration;
use std::sync::OnceLock;
use std::time::Instant;

/// The time since which something is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "recording began with the program or after it")]
pub enum Since {
    /// Since the first allocation of the program, so nothing is missing.
    Start,
    /// For this duration. Earlier allocations are unknown, but frees of their blocks during this
    /// time are counted.
    Ago(Duration),
}

/// The value that replaces a time if recording began with the program.
pub(crate) const AT_START: u64 = 0;

impl Since {
    /// Converts a time of the clock. [`AT_START`] becomes `Start`.
    pub(crate) fn of(moment: u64) -> Self {
        match moment {
            AT_START => Self::Start,
            moment => Self::Ago(Duration::from_nanos(nanoseconds().saturating_sub(moment))),
        }
    }
}

/// Returns the nanoseconds since the clock was first read, at least 1. The clock is monotonic and
/// the same for all threads.
pub(crate) fn nanoseconds() -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let since = FIRST.get_or_init(Instant::now).elapsed().as_nanos();
    u64::try_from(since).unwrap_or(u64::MAX).max(1)
}
