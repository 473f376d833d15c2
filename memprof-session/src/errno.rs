//! The thread's `errno`, which code inside a signal handler or the allocator must not change.
#![expect(unsafe_code, reason = "`errno` belongs to the system")]

use core::ffi::c_int;

/// Runs system calls and restores `errno`.
pub(crate) fn kept<T>(work: impl FnOnce() -> T) -> T {
    let place = place();
    // SAFETY: the pointer is null, or points to the `errno` of this thread.
    let before = unsafe { place.as_ref() }.copied();
    let result = work();
    if let Some(before) = before {
        // SAFETY: the pointer is not null, so it points to the `errno` of this thread.
        unsafe { place.write(before) };
    }
    result
}

/// Returns the address of `errno`, or null if the system's function for it is not known.
fn place() -> *mut c_int {
    #[cfg(any(target_os = "linux", target_os = "emscripten", target_os = "dragonfly"))]
    // SAFETY: the call has no preconditions.
    return unsafe { libc::__errno_location() };
    #[cfg(any(target_os = "android", target_os = "netbsd", target_os = "openbsd"))]
    // SAFETY: the call has no preconditions.
    return unsafe { libc::__errno() };
    #[cfg(any(target_vendor = "apple", target_os = "freebsd"))]
    // SAFETY: the call has no preconditions.
    return unsafe { libc::__error() };
    #[cfg(any(target_os = "illumos", target_os = "solaris"))]
    // SAFETY: the call has no preconditions.
    return unsafe { libc::___errno() };
    #[cfg(not(any(
        target_os = "linux",
        target_os = "emscripten",
        target_os = "dragonfly",
        target_os = "android",
        target_os = "netbsd",
        target_os = "openbsd",
        target_vendor = "apple",
        target_os = "freebsd",
        target_os = "illumos",
        target_os = "solaris",
    )))]
    return core::ptr::null_mut();
}
