//! Keeps a library that contains memprof loaded.
//!
//! The system calls functions of memprof when a thread ends and when the process forks. A plugin
//! that records and is then unloaded would leave it with addresses of unmapped code.
#![cfg_attr(
    all(any(target_os = "linux", target_os = "android", target_vendor = "apple"), not(miri)),
    expect(unsafe_code, reason = "calls of the loader")
)]

use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Keeps the library that has this code loaded until the process ends. It takes the loader's lock,
/// so the hook must not call it. Further calls do nothing.
pub(crate) fn pin() {
    static IS_PINNED: AtomicBool = AtomicBool::new(false);
    if !IS_PINNED.load(Relaxed) && !IS_PINNED.swap(true, Relaxed) {
        keep_loaded(pin as *const ());
    }
}

#[cfg(all(any(target_os = "linux", target_os = "android", target_vendor = "apple"), not(miri)))]
fn keep_loaded(function: *const ()) {
    use core::mem::MaybeUninit;

    let mut found = MaybeUninit::<libc::Dl_info>::uninit();
    // SAFETY: the call writes the description if it finds the function, and else returns 0.
    if unsafe { libc::dladdr(function.cast(), found.as_mut_ptr()) } == 0 {
        return;
    }
    // SAFETY: as above.
    let path = unsafe { found.assume_init() }.dli_fname;
    if !path.is_null() {
        let mode = libc::RTLD_LAZY | libc::RTLD_NOLOAD | libc::RTLD_NODELETE;
        // SAFETY: the path ends with a zero. Nothing is loaded, so no constructor runs. The program
        // itself may not be found by its path, but is never unloaded.
        unsafe { libc::dlopen(path, mode) };
    }
}

#[cfg(not(all(
    any(target_os = "linux", target_os = "android", target_vendor = "apple"),
    not(miri)
)))]
fn keep_loaded(_: *const ()) {}
