//! The functions that wake a recorder, and the peaks that it watches.

use crate::base::party::Party;
use crate::thread::process;
use crate::thread::wake::{WAKE, WATCHED, Wake, peak_is};
use core::sync::atomic::Ordering::Relaxed;

/// Sets the function that is called when somebody should look, or none.
///
/// It is called from wherever the program allocates or ends an operation, on that thread, and so
/// may do only what a signal handler may: it neither allocates nor frees, waits for no lock, and
/// returns soon; to write a byte to a pipe, or to set an atomic word, is what it is for. Several
/// threads may call it at once, and one may still be in it, or about to call it, after another
/// function was set. If it panics, the process is aborted.
///
/// ```
/// use memprof_heap::{Wake, set_wake};
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

/// Has the function of [`set_wake`] called once, as soon as the process's
/// [`Peak`](crate::Peak) is found above so many bytes; at once if it is.
///
/// It is found as exactly as `Peak::bytes`: not more often than the threads are asked. Then nobody
/// watches until this is called again. `u64::MAX` ends the watch.
///
/// ```
/// use memprof_heap::{Allocator, Level, Wake, set_wake, totals, watch_peak};
/// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// static PEAKS: AtomicU32 = AtomicU32::new(0);
///
/// # fn main() -> Result<(), memprof_heap::NotRecorded> {
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
    watch(Party::Program, above_bytes);
}

pub(crate) fn watch(party: Party, above_bytes: u64) {
    WATCHED.of(party).store(above_bytes, Relaxed);
    peak_is(process::peak());
}
