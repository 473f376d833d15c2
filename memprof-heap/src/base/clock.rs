//! The clock of the crate, and since when something is recorded.

use core::time::Duration;
use std::sync::OnceLock;
use std::time::Instant;

/// Since when something is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Since {
    /// The first allocation of the program: nothing is missing.
    Start,
    /// This long ago. Allocations before that are unknown; frees of such blocks since then are counted.
    Ago(Duration),
}

/// In place of a moment: recording began with the program.
pub(crate) const AT_START: u64 = 0;

impl Since {
    /// A moment of the clock, or [`AT_START`].
    pub(crate) fn of(moment: u64) -> Self {
        match moment {
            AT_START => Self::Start,
            moment => Self::Ago(Duration::from_nanos(nanoseconds().saturating_sub(moment))),
        }
    }
}

/// Nanoseconds since the clock was first read, at least 1: monotonic, one clock for the process.
pub(crate) fn nanoseconds() -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let since = FIRST.get_or_init(Instant::now).elapsed().as_nanos();
    u64::try_from(since).unwrap_or(u64::MAX).max(1)
}
