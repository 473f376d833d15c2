//! Threads of the session: they block signals, and know that they are the session's.
#![cfg_attr(unix, expect(unsafe_code, reason = "the signal mask is the system's"))]

use core::cell::Cell;
use std::io;
use std::thread::{self, JoinHandle};

/// The name of the thread that records.
pub(crate) const SESSION: &str = "memprof";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Program,
    /// The thread that records.
    Session,
    /// A thread that works for it.
    Helper,
}

std::thread_local! {
    /// No destructor, so it can be read at any time.
    static OWNER: Cell<Owner> = const { Cell::new(Owner::Program) };
}

/// Returns `true` on a thread of the session, which must not wait for an answer.
pub(crate) fn is_ours() -> bool {
    OWNER.get() != Owner::Program
}

/// Returns `true` on the thread that records.
#[cfg(unix)]
pub(crate) fn is_session() -> bool {
    OWNER.get() == Owner::Session
}

/// Starts a thread that no handler of the program runs on.
pub(crate) fn spawn(
    name: &'static str,
    work: impl FnOnce() + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    let work = move || {
        OWNER.set(if name == SESSION { Owner::Session } else { Owner::Helper });
        work();
    };
    // The new thread inherits the mask.
    let _blocked = SignalsBlocked::new();
    thread::Builder::new().name(name.to_owned()).spawn(work)
}

/// Signals of the current thread are blocked until this is dropped.
#[cfg(unix)]
struct SignalsBlocked {
    before: libc::sigset_t,
}

#[cfg(unix)]
impl SignalsBlocked {
    fn new() -> Self {
        /// Faults of the thread itself: blocked, they would end the program without its handler.
        const FAULTS: [core::ffi::c_int; 7] = [
            libc::SIGSEGV,
            libc::SIGBUS,
            libc::SIGFPE,
            libc::SIGILL,
            libc::SIGTRAP,
            libc::SIGSYS,
            libc::SIGABRT,
        ];
        // SAFETY: a set of signals is plain words.
        let mut set: libc::sigset_t = unsafe { core::mem::zeroed() };
        let mut before = set;
        // SAFETY: the set is there.
        unsafe { libc::sigfillset(&raw mut set) };
        for signal in FAULTS {
            // SAFETY: the set is there, and the signal is one.
            unsafe { libc::sigdelset(&raw mut set, signal) };
        }
        // SAFETY: both sets are there.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const set, &raw mut before) };
        Self { before }
    }
}

#[cfg(unix)]
impl Drop for SignalsBlocked {
    fn drop(&mut self) {
        // SAFETY: the set is the one that was there before.
        unsafe {
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.before, core::ptr::null_mut())
        };
    }
}

#[cfg(not(unix))]
struct SignalsBlocked;

#[cfg(not(unix))]
impl SignalsBlocked {
    fn new() -> Self {
        Self
    }
}
