//! What the session's thread takes of the processor.
#![cfg_attr(unix, expect(unsafe_code, reason = "the clock of a thread is the system's"))]

/// Nanoseconds that the current thread ran; `None` where the system doesn't say.
#[cfg(unix)]
pub(crate) fn cpu_ns() -> Option<u64> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: there is room for the time.
    let read = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    if read != 0 {
        return None;
    }
    let (seconds, nanoseconds) =
        (u64::try_from(time.tv_sec).ok()?, u64::try_from(time.tv_nsec).ok()?);
    Some(seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds))
}

/// Nanoseconds that the current thread ran; `None` where the system doesn't say.
#[cfg(not(unix))]
pub(crate) fn cpu_ns() -> Option<u64> {
    None
}
