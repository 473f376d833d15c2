//! The action of `SIGPIPE` with which the process was started. Rust's runtime replaces that action
//! before `main`, so it is read before the runtime starts.
#![expect(unsafe_code, reason = "a function that runs before `main`, and a call of the C library")]

use core::ffi::c_int;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use core::{mem, ptr};

static WAS_IGNORED: AtomicBool = AtomicBool::new(false);

// SAFETY: the C library calls each function of this section once before `main`. The function has
// the type that the section requires, and uses nothing of Rust's runtime.
#[unsafe(link_section = ".init_array")]
#[used]
static READER: extern "C" fn() = read;

extern "C" fn read() {
    WAS_IGNORED.store(is_ignored(libc::SIGPIPE), Relaxed);
}

/// Returns `true` if the process ignores a signal.
fn is_ignored(signal: c_int) -> bool {
    // SAFETY: an action consists of integers, for which zero bytes are valid.
    let mut action: libc::sigaction = unsafe { mem::zeroed() };
    // SAFETY: the pointer is to a local action. With a null pointer for the new action, the call
    // changes nothing.
    let read = unsafe { libc::sigaction(signal, ptr::null(), &raw mut action) };
    read == 0 && action.sa_sigaction == libc::SIG_IGN
}

/// Returns `true` if the process was started with `SIGPIPE` ignored.
pub(crate) fn was_ignored() -> bool {
    WAS_IGNORED.load(Relaxed)
}
