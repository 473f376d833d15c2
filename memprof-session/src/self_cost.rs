//! The processor time of a thread of the session.
#![cfg_attr(unix, expect(unsafe_code, reason = "reads the system's clock of a thread"))]

/// Returns the CPU time of the current thread in nanoseconds, or `None` if the system does not
/// report it.
#[cfg(unix)]
pub(crate) fn cpu_ns() -> Option<u64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a local `timespec`.
    let read = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    if read != 0 {
        return None;
    }
    let (seconds, nanoseconds) =
        (u64::try_from(time.tv_sec).ok()?, u64::try_from(time.tv_nsec).ok()?);
    Some(seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds))
}

/// Returns `None`, because std does not have the time of a thread.
#[cfg(not(unix))]
pub(crate) fn cpu_ns() -> Option<u64> {
    None
}
