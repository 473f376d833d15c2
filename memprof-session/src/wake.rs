//! Wakeups of the session's threads. A thread waits for its wakeup, which any thread, a signal
//! handler or the allocator may send.
//!
//! Only a futex can be woken from all three, so other systems poll.
#![cfg_attr(
    any(target_os = "linux", target_os = "android"),
    expect(unsafe_code, reason = "waits with system calls")
)]

use core::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A word that is 1 from the call of `wake` until the wait ends.
///
/// It is not a descriptor that the program could close, and a forked child does not share it with
/// its parent.
#[derive(Debug)]
pub(crate) struct Wakeup(AtomicU32);

pub(crate) static SESSION: Wakeup = Wakeup::new();

pub(crate) fn wake() {
    SESSION.wake();
}

impl Wakeup {
    pub(crate) const fn new() -> Self {
        Self(AtomicU32::new(0))
    }

    /// Ends the wait now or when it begins. Takes no lock, allocates nothing and never waits.
    pub(crate) fn wake(&self) {
        if self.0.swap(1, Ordering::AcqRel) == 0 {
            wake_waiting(&self.0);
        }
    }

    pub(crate) fn wait(&self, max: Duration) {
        /// The longest wait that all systems accept.
        const LONGEST: Duration = Duration::from_hours(24);
        if self.0.swap(0, Ordering::AcqRel) == 1 {
            return;
        }
        wait_while_zero(&self.0, max.min(LONGEST));
        // A swap: after a store, later reads could miss what the caller of `wake` has written.
        self.0.swap(0, Ordering::AcqRel);
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn wake_waiting(word: &AtomicU32) {
    let operation = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
    // SAFETY: only the address of the word is used. Waking fails only for an invalid address, so
    // `errno` stays.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, i32::MAX) };
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn wait_while_zero(word: &AtomicU32, max: Duration) {
    #[allow(clippy::unnecessary_fallible_conversions, reason = "the type differs between systems")]
    let time = libc::timespec {
        tv_sec: max.as_secs().try_into().unwrap_or(0),
        tv_nsec: max.subsec_nanos().try_into().unwrap_or(0),
    };
    let operation = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
    // SAFETY: the word and the time outlive the call. The kernel compares the word with 0 before
    // it waits, so no wakeup is lost.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), operation, 0, &raw const time) };
}

/// Does nothing, because the waiting thread polls the word.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn wake_waiting(_: &AtomicU32) {}

/// Polls the word until it is not 0, at most for `max`.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn wait_while_zero(word: &AtomicU32, max: Duration) {
    const POLL_INTERVAL: Duration = Duration::from_millis(20);
    let ends = std::time::Instant::now() + max;
    while word.load(Ordering::Acquire) == 0 {
        let left = ends.saturating_duration_since(std::time::Instant::now());
        if left.is_zero() {
            return;
        }
        std::thread::sleep(left.min(POLL_INTERVAL));
    }
}
