//! Threads of the session: they block signals and are marked as the session's.
//!
//! A thread takes a lock of std while it starts and while it ends. If another thread forks at that
//! moment, no thread of the child ever starts again. When each summary had a new thread, one in 400
//! children of a program that wrote documents in a loop hung. So the session starts its threads at
//! its begin, keeps them until its end, and does not return from [`spawn`] before they run.
#![cfg_attr(
    unix,
    expect(unsafe_code, reason = "sets the signal mask, and reads the thread's clock")
)]

use super::command::pair;
use super::heap;
use core::cell::Cell;
use std::io;
use std::thread::{self, JoinHandle};
use std::time::Duration;

pub(crate) const SESSION: &str = "memprof";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Program,
    Session,
    Helper,
}

std::thread_local! {
    /// The owner of this thread. The variable has no destructor, so it can be read at any time.
    static OWNER: Cell<Owner> = const { Cell::new(Owner::Program) };
}

/// Returns `true` on a thread of the session, which must not wait for an answer.
pub(crate) fn is_ours() -> bool {
    OWNER.get() != Owner::Program
}

#[cfg(unix)]
pub(crate) fn is_session() -> bool {
    OWNER.get() == Owner::Session
}

/// The longest wait for a new thread to run.
const MAX: Duration = Duration::from_secs(1);

/// Starts a thread that runs no signal handler of the program, and waits until it runs.
pub(crate) fn spawn(
    name: &'static str,
    work: impl FnOnce() + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    let (begun, has_begun) = pair();
    let work = move || {
        OWNER.set(if name == SESSION { Owner::Session } else { Owner::Helper });
        heap::as_profiler(|| begun.send(()));
        work();
    };
    let thread = {
        // The new thread inherits the mask.
        #[cfg(unix)]
        let _blocked = SignalsBlocked::new();
        thread::Builder::new().name(name.to_owned()).spawn(work)?
    };
    has_begun.wait(MAX);
    Ok(thread)
}

/// Blocks the signals of the current thread until it is dropped.
#[cfg(unix)]
struct SignalsBlocked {
    before: libc::sigset_t,
}

#[cfg(unix)]
impl SignalsBlocked {
    fn new() -> Self {
        /// Faults of the thread itself: if blocked, they would end the program without its handler.
        const FAULTS: [core::ffi::c_int; 7] = [
            libc::SIGSEGV,
            libc::SIGBUS,
            libc::SIGFPE,
            libc::SIGILL,
            libc::SIGTRAP,
            libc::SIGSYS,
            libc::SIGABRT,
        ];
        // SAFETY: a signal set consists of integers, for which zero bytes are valid.
        let mut set: libc::sigset_t = unsafe { core::mem::zeroed() };
        let mut before = set;
        // SAFETY: the pointer is to a local set.
        unsafe { libc::sigfillset(&raw mut set) };
        for signal in FAULTS {
            // SAFETY: the pointer is to a local set, and the number is a signal's.
            unsafe { libc::sigdelset(&raw mut set, signal) };
        }
        // SAFETY: both pointers are to local sets.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const set, &raw mut before) };
        Self { before }
    }
}

#[cfg(unix)]
impl Drop for SignalsBlocked {
    fn drop(&mut self) {
        // SAFETY: the set is the thread's earlier mask.
        unsafe {
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.before, core::ptr::null_mut())
        };
    }
}

/// Returns `None` if the system does not report it.
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
