//! The thread's `errno`, which code inside a signal handler or the allocator must leave as it was.
#![expect(unsafe_code, reason = "the word is the system's")]
#![cfg_attr(
    not(feature = "heap"),
    allow(
        dead_code,
        reason = "the line of a refused allocation uses it, and pipes where they wake"
    )
)]

use core::ffi::c_int;

/// Runs system calls and puts `errno` back.
pub(crate) fn kept<T>(work: impl FnOnce() -> T) -> T {
    let place = place();
    // SAFETY: null, or the word of this thread.
    let before = unsafe { place.as_ref() }.copied();
    let result = work();
    if let Some(before) = before {
        // SAFETY: it is the word of this thread, and not null.
        unsafe { place.write(before) };
    }
    result
}

/// Null where the system's name for it is not known.
fn place() -> *mut c_int {
    #[cfg(any(target_os = "linux", target_os = "emscripten", target_os = "dragonfly"))]
    // SAFETY: it has no conditions.
    return unsafe { libc::__errno_location() };
    #[cfg(any(target_os = "android", target_os = "netbsd", target_os = "openbsd"))]
    // SAFETY: it has no conditions.
    return unsafe { libc::__errno() };
    #[cfg(any(target_vendor = "apple", target_os = "freebsd"))]
    // SAFETY: it has no conditions.
    return unsafe { libc::__error() };
    #[cfg(any(target_os = "illumos", target_os = "solaris"))]
    // SAFETY: it has no conditions.
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
