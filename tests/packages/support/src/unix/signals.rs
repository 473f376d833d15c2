//! Signals: handlers, masks, and pending signals.

use libc::c_int;
use std::{mem, ptr};

pub use libc::{
    SIGABRT, SIGCHLD, SIGCONT, SIGINT, SIGKILL, SIGSEGV, SIGTERM, SIGUSR1, SIGUSR2, SIGXFSZ,
};

/// Sends a signal to a child that has not been waited for.
pub fn send(pid: u32, signal: c_int) {
    // SAFETY: the call has no preconditions.
    let sent = unsafe { libc::kill(pid.cast_signed(), signal) };
    assert_eq!(sent, 0, "the process may be signalled");
}

/// Sends a signal to this process.
pub fn send_to_self(signal: c_int) {
    send(std::process::id(), signal);
}

/// Installs a handler like C's `signal`. The handler may do only what signal handlers may do, for
/// example store a word.
pub fn handle(signal: c_int, handler: extern "C" fn(c_int)) {
    // SAFETY: the function does only what a handler may do.
    unsafe { libc::signal(signal, handler as *const () as libc::sighandler_t) };
}

/// Installs a handler so that the signal interrupts system calls.
pub fn handle_and_interrupt(signal: c_int, handler: extern "C" fn(c_int)) {
    // SAFETY: an action consists of integers; zero means no flag and an empty mask.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    action.sa_sigaction = handler as *const () as libc::sighandler_t;
    // SAFETY: the function does only what a handler may do.
    let set = unsafe { libc::sigaction(signal, &raw const action, ptr::null_mut()) };
    assert_eq!(set, 0, "the signal can be handled");
}

/// Ignores a signal.
pub fn ignore(signal: c_int) {
    // SAFETY: `SIG_IGN` is the system's own action.
    unsafe { libc::signal(signal, libc::SIG_IGN) };
}

/// Restores the default action of a signal.
pub fn reset(signal: c_int) {
    // SAFETY: `SIG_DFL` is the system's own action.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
}

/// Returns the address of a signal's handler, or a default action.
pub fn answered_by(signal: c_int) -> libc::sighandler_t {
    // SAFETY: an action consists of integers, for which zero bytes are valid.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: the pointer is to a local action.
    let read = unsafe { libc::sigaction(signal, ptr::null(), &raw mut action) };
    assert_eq!(read, 0, "the signal has an action");
    action.sa_sigaction
}

/// Returns `true` if the process has the default action for a signal.
pub fn is_default(signal: c_int) -> bool {
    answered_by(signal) == libc::SIG_DFL
}

/// Blocks signals for this thread and those it starts.
pub fn block(signals: &[c_int]) {
    change_mask(libc::SIG_BLOCK, signals);
}

/// Unblocks signals for this thread.
pub fn unblock(signals: &[c_int]) {
    change_mask(libc::SIG_UNBLOCK, signals);
}

fn change_mask(how: c_int, signals: &[c_int]) {
    let set = set_of(signals);
    // SAFETY: the set is live, and the old mask is not requested.
    let changed = unsafe { libc::pthread_sigmask(how, &raw const set, ptr::null_mut()) };
    assert_eq!(changed, 0, "a mask can be changed");
}

fn set_of(signals: &[c_int]) -> libc::sigset_t {
    // SAFETY: a set consists of integers, and is emptied next.
    let mut set: libc::sigset_t = unsafe { mem::zeroed() };
    // SAFETY: the set is live.
    unsafe { libc::sigemptyset(&raw mut set) };
    for &signal in signals {
        // SAFETY: the set is live.
        unsafe { libc::sigaddset(&raw mut set, signal) };
    }
    set
}

/// Returns `true` if a signal is pending for this process or thread.
pub fn is_pending(signal: c_int) -> bool {
    let mut set = set_of(&[]);
    // SAFETY: the pointer is to a local set.
    unsafe { libc::sigpending(&raw mut set) };
    // SAFETY: the set is live.
    (unsafe { libc::sigismember(&raw const set, signal) }) == 1
}

/// Waits for one of the signals, which are blocked, and returns it.
pub fn wait_for_signal(signals: &[c_int]) -> c_int {
    let set = set_of(signals);
    let mut signal = 0;
    // SAFETY: both pointers are to live values.
    let waited = unsafe { libc::sigwait(&raw const set, &raw mut signal) };
    assert_eq!(waited, 0, "blocked signals can be waited for");
    signal
}

/// Reads from a pipe into which nothing is written. Returns `true` if a signal ended the call.
pub fn read_until_interrupted() -> bool {
    let mut ends = [0; 2];
    // SAFETY: the array has room for both ends.
    let made = unsafe { libc::pipe(ends.as_mut_ptr()) };
    assert_eq!(made, 0, "a pipe can be made");
    let mut byte = 0_u8;
    // SAFETY: the pointer is to a local byte.
    let read = unsafe { libc::read(ends[0], (&raw mut byte).cast(), 1) };
    read < 0 && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
}
