//! The end of a program that did not finish its session: it called `exit`, or `main` returned while
//! a static held the session.
#![cfg_attr(unix, expect(unsafe_code, reason = "registers an exit handler with the system"))]

use super::time::Deadline;
use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// The process id; 0 while no session records. A forked child's exit writes nothing.
static RECORDED: AtomicU32 = AtomicU32::new(0);
static DONE: AtomicBool = AtomicBool::new(false);
/// On the clock of the module `deadline`; [`NEVER`] while the program runs.
static REQUESTED_NS: AtomicU64 = AtomicU64::new(NEVER);

const NEVER: u64 = u64::MAX;

/// The time that the session's thread has for the document.
const BUDGET: Duration = Duration::from_secs(8);

#[cfg(unix)]
pub(crate) fn begin() {
    static REGISTERED: AtomicBool = AtomicBool::new(false);
    REQUESTED_NS.store(NEVER, Ordering::Relaxed);
    DONE.store(false, Ordering::Relaxed);
    RECORDED.store(std::process::id(), Ordering::Release);
    // No `Once`, which would block a child that was forked during the call forever.
    if !REGISTERED.swap(true, Ordering::Relaxed) {
        // SAFETY: the function may be called at exit. If `atexit` fails, it is not called.
        unsafe { libc::atexit(at_exit) };
    }
}

/// Does nothing. On other systems the destructor of the session writes the document, if it runs.
#[cfg(not(unix))]
pub(crate) fn begin() {}

pub(crate) fn end() {
    RECORDED.store(0, Ordering::Release);
}

pub(crate) fn requested() -> Option<Deadline> {
    let requested = REQUESTED_NS.load(Ordering::Acquire);
    (requested != NEVER).then(|| Deadline::of_end(requested, BUDGET))
}

/// Marks the document as written, or the session as over for another reason.
pub(crate) fn done() {
    DONE.store(true, Ordering::Release);
}

/// Waits for the document on the thread that called `exit`, which may be any thread.
///
/// Thread-local variables no longer exist, and waiting for a message would need them. So this
/// function polls.
#[cfg(unix)]
extern "C" fn at_exit() {
    /// The longest wait: a program must not hang at its end because it is profiled.
    const MAX: Duration = Duration::from_secs(10);
    let is_recorded = || RECORDED.load(Ordering::Acquire) == std::process::id();
    // The session's own thread cannot wait for itself; its other threads can.
    if !is_recorded() || super::threads::is_session() {
        return;
    }
    let now_ns = super::time::now_ns();
    REQUESTED_NS.store(now_ns, Ordering::Release);
    super::time::request_end();
    super::wake::wake();
    let until = Deadline::of_end(now_ns, MAX);
    while is_recorded() && !DONE.load(Ordering::Acquire) && !until.is_over() {
        std::thread::sleep(Duration::from_micros(200));
    }
}
