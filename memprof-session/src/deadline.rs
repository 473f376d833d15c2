//! Deadlines that nest: each step gets the remaining time. A request to end the program shortens
//! the deadlines of work in progress.

#![cfg_attr(unix, expect(unsafe_code, reason = "reads the clock in a signal handler"))]

use super::clock::nanoseconds;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

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

/// Returns nanoseconds of a monotonic clock.
#[cfg(not(unix))]
pub(crate) fn now_ns() -> u64 {
    use std::sync::OnceLock;
    use std::time::Instant;

    static START: OnceLock<Instant> = OnceLock::new();
    nanoseconds(START.get_or_init(Instant::now).elapsed())
}

/// Forgets requests of an earlier session.
pub(crate) fn begin() {
    END_REQUESTED_NS.store(NEVER, Relaxed);
}

/// Cuts all deadlines short except deadlines from [`Deadline::of_end`]. May be called from a
/// signal handler.
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
    /// Returns a deadline after `time`. A request to end the program shortens it to [`GRACE`] after
    /// the request.
    pub(crate) fn after(time: Duration) -> Self {
        Self { ends_ns: now_ns().saturating_add(nanoseconds(time)), is_of_end: false }
    }

    /// Returns a deadline `time` after the moment at which the end of the program was requested.
    pub(crate) fn of_end(requested_ns: u64, time: Duration) -> Self {
        Self { ends_ns: requested_ns.saturating_add(nanoseconds(time)), is_of_end: true }
    }

    /// Returns the same deadline, but at most `max` from now.
    pub(crate) fn within(self, max: Duration) -> Self {
        let ends_ns = self.ends_ns.min(now_ns().saturating_add(nanoseconds(max)));
        Self { ends_ns, ..self }
    }

    /// Returns a deadline after 1/`parts` of the remaining time.
    pub(crate) fn part(self, parts: u32) -> Self {
        self.within(self.left() / parts)
    }

    /// Returns the remaining time.
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
