//! The functions that wake a recorder, and the peaks that it watches.

use crate::base::party::Party;
use crate::thread::process;
use crate::thread::wake::{LIVE_LIMIT, PEAK_LIMIT, WAKE, Wake, check_limits};
use core::sync::atomic::Ordering::Relaxed;

/// Sets or removes the function that is called when a recorder should act. Its [`Wake`] argument is
/// the reason.
///
/// The function is called on any thread that allocates or ends an operation, before the allocation
/// or the end is complete. So it may do only what a signal handler may do. It must not allocate,
/// free or wait for a lock, and it must return soon. Its purpose is to write a byte to a pipe or to
/// set an atomic word.
///
/// Several threads may call it at once. A thread may still call it after another function was set.
/// If it panics, the process is aborted.
///
/// ```
/// use memprof::heap::hooks::{set_wake, Wake};
/// use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
///
/// static EVENTS_WAIT: AtomicBool = AtomicBool::new(false);
///
/// fn wake(why: Wake) {
///     if why == Wake::Events {
///         EVENTS_WAIT.store(true, Relaxed);
///     }
/// }
///
/// set_wake(Some(wake));
/// ```
///
/// A [recorder](crate::recorder) has a function of its own, which is called as well.
pub fn set_wake(wake: Option<fn(Wake)>) {
    set(Party::Program, wake);
}

pub(crate) fn set(party: Party, wake: Option<fn(Wake)>) {
    WAKE.of(party).set(wake);
}

/// Requests one call of the function of [`set_wake`], as soon as the [`Peak`](crate::Peak) of the
/// process is found above `above_bytes`. If the peak is above that already, the function is called
/// at once.
///
/// The peak is checked only when the threads' counters are read, so it may be too low by
/// [`error_bytes`](crate::Peak::error_bytes). The watch ends with that one call of the function.
/// Call `watch_peak` again to start another watch, or with `u64::MAX` to end a watch early.
///
/// ```
/// use memprof::heap::hooks::{set_wake, watch_peak, Wake};
/// use memprof::heap::{totals, Level};
/// use memprof::Allocator;
/// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// static PEAKS: AtomicU32 = AtomicU32::new(0);
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// set_wake(Some(|_| {
///     PEAKS.fetch_add(1, Relaxed);
/// }));
/// watch_peak(totals()?.peak.bytes + 1_000_000);
/// let most = vec![0_u8; 4_000_000];
/// let more = vec![0_u8; 4_000_000];
/// assert_eq!(PEAKS.load(Relaxed), 1);
/// # drop((most, more));
/// # Ok(())
/// # }
/// ```
pub fn watch_peak(above_bytes: u64) {
    PEAK_LIMIT.store(above_bytes, Relaxed);
    check_now();
}

pub(crate) fn watch_live(above_bytes: u64) {
    LIVE_LIMIT.store(above_bytes, Relaxed);
    process::recompute_soon();
    check_now();
}

fn check_now() {
    check_limits(process::exact_live(), process::peak());
}
