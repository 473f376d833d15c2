//! What only the system can do to a process: signals, forks, limits.
#![expect(unsafe_code, reason = "they are the system's")]

use std::ffi::c_int;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

pub(crate) use libc::{SIGABRT, SIGINT, SIGKILL, SIGTERM, SIGUSR1};

/// Sends a signal to a child that has not been waited for.
pub(crate) fn send(pid: u32, signal: c_int) {
    // SAFETY: it has no conditions.
    assert_eq!(unsafe { libc::kill(pid.cast_signed(), signal) }, 0);
}

/// Has a function of this program answer a signal, as C's `signal` does.
pub(crate) fn answer(signal: c_int, handler: extern "C" fn(c_int)) {
    // SAFETY: the function is one that may be called in a handler: it stores a word.
    unsafe { libc::signal(signal, handler as *const () as libc::sighandler_t) };
}

/// Has this process ignore a signal.
pub(crate) fn ignore(signal: c_int) {
    // SAFETY: it is the system's own action.
    unsafe { libc::signal(signal, libc::SIG_IGN) };
}

/// Restores the default action of the signal.
pub(crate) fn reset(signal: c_int) {
    // SAFETY: the default action has no conditions.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
}

/// What answers a signal now.
pub(crate) fn answered_by(signal: c_int) -> libc::sighandler_t {
    // SAFETY: an action is plain words.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: there is room for it.
    unsafe { libc::sigaction(signal, std::ptr::null(), &raw mut action) };
    action.sa_sigaction
}

/// Runs something in a forked child, which then exits, and tells how it ended.
pub(crate) fn forked(work: impl FnOnce()) -> ExitStatus {
    // SAFETY: the child has the forking thread alone; it allocates, which the system's allocator
    // allows, and ends without returning.
    let pid = unsafe { libc::fork() };
    assert!(pid >= 0, "the system has room for a child");
    if pid == 0 {
        work();
        std::process::exit(0);
    }
    let mut status = 0;
    // SAFETY: there is room for the status.
    assert_eq!(unsafe { libc::waitpid(pid, &raw mut status, 0) }, pid);
    ExitStatus::from_raw(status)
}

/// Limits the size of files. To write more is a signal, which ends the program where it isn't
/// blocked.
pub(crate) fn limit_files(bytes: u64) {
    limit(libc::RLIMIT_FSIZE, bytes);
}

/// Closes all descriptors but the standard ones, as daemons do.
pub(crate) fn close_from_3() {
    for descriptor in 3..1024 {
        // SAFETY: a number that is not open is an error, and the owners check before each use.
        unsafe { libc::close(descriptor) };
    }
}

/// This process may take so many bytes of addresses more than it has.
#[cfg(target_os = "linux")]
pub(crate) fn limit_memory(more: u64) {
    let pages = std::fs::read_to_string("/proc/self/statm").expect("it can be read");
    let pages: u64 = pages.split(' ').next().and_then(|n| n.parse().ok()).expect("it is a number");
    limit(libc::RLIMIT_AS, pages * 4096 + more);
}

#[cfg(target_env = "gnu")]
type Resource = libc::__rlimit_resource_t;
#[cfg(not(target_env = "gnu"))]
type Resource = c_int;

#[allow(clippy::useless_conversion, reason = "the types differ between systems")]
fn limit(resource: Resource, most: u64) {
    let most = most.try_into().expect("the system has limits of that size");
    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: the limit is live.
    assert_eq!(unsafe { libc::setrlimit(resource, &raw const limit) }, 0);
}
