//! The processor time of a thread of the session.
#![cfg_attr(
    any(unix, windows),
    expect(unsafe_code, reason = "reads the system's clock of a thread")
)]

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

/// Returns the CPU time of the current thread in nanoseconds, or `None` if the system does not
/// report it.
#[cfg(windows)]
pub(crate) fn cpu_ns() -> Option<u64> {
    use windows_sys::Win32::Foundation::FILETIME;
    use windows_sys::Win32::System::Threading::{GetCurrentThread, GetThreadTimes};
    let [mut created, mut ended, mut kernel, mut user] = [FILETIME::default(); 4];
    // SAFETY: the call has no preconditions.
    let thread = unsafe { GetCurrentThread() };
    // SAFETY: the four pointers are to local values.
    let read = unsafe {
        GetThreadTimes(thread, &raw mut created, &raw mut ended, &raw mut kernel, &raw mut user)
    };
    // Windows counts a time in units of 100 ns.
    let ns = |time: FILETIME| {
        (u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime)).saturating_mul(100)
    };
    (read != 0).then(|| ns(kernel).saturating_add(ns(user)))
}

/// Returns `None`, because the system does not report the time of a thread.
#[cfg(not(any(unix, windows)))]
pub(crate) fn cpu_ns() -> Option<u64> {
    None
}
