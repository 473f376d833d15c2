//! The end of a program that did not finish its session: `exit` was called, or `main` returned while
//! the session was kept in a static.
#![cfg_attr(unix, expect(unsafe_code, reason = "what runs at exit is the system's"))]

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// The process that is recorded; 0 while none is. A forked child's exit is its own.
static RECORDED: AtomicU32 = AtomicU32::new(0);
static ASKED_FOR: AtomicBool = AtomicBool::new(false);
static DONE: AtomicBool = AtomicBool::new(false);

/// From now on an exit of this process has the report written first.
#[cfg(unix)]
pub(crate) fn begin() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ASKED_FOR.store(false, Ordering::Relaxed);
    DONE.store(false, Ordering::Relaxed);
    RECORDED.store(std::process::id(), Ordering::Release);
    ONCE.call_once(|| {
        // SAFETY: the function may be called at exit. If it can't be registered, it isn't called.
        unsafe { libc::atexit(at_exit) };
    });
}

/// On other systems the destructor of the session does it, where it runs.
#[cfg(not(unix))]
pub(crate) fn begin() {}

/// The session is over.
pub(crate) fn end() {
    RECORDED.store(0, Ordering::Release);
}

/// Whether the program is about to end.
pub(crate) fn is_asked_for() -> bool {
    ASKED_FOR.load(Ordering::Acquire)
}

/// What was asked for is done.
pub(crate) fn done() {
    DONE.store(true, Ordering::Release);
}

/// Words of the thread are gone by now: this looks again and again rather than waiting for a
/// message, which would need them.
#[cfg(unix)]
extern "C" fn at_exit() {
    use std::time::{Duration, Instant};
    /// A program may not hang at its end because somebody profiles it.
    const MOST: Duration = Duration::from_secs(10);
    if RECORDED.load(Ordering::Acquire) != std::process::id() {
        return;
    }
    ASKED_FOR.store(true, Ordering::Release);
    super::wake::wake();
    let began = Instant::now();
    while !DONE.load(Ordering::Acquire) && began.elapsed() < MOST {
        std::thread::sleep(Duration::from_micros(200));
    }
}
