//! A call when there is something to do for whoever writes down what is counted.

use crate::callback::Callback;
use crate::hook::process;
use crate::party::{Parties, Party};
use crate::totals;
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

/// Why the function that [`set_wake`] was given is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wake {
    /// A thread has kept half of the events that it can, or all: they should be
    /// [taken](crate::drain_operation_events).
    Events,
    /// The process's peak has passed what [`watch_peak`] was given.
    Peak,
}

static WAKE: Parties<Callback<Wake>> = Parties::none();

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

/// Nobody watches.
const NEVER: u64 = u64::MAX;

static WATCHED: Parties<AtomicU64> =
    Parties { program: AtomicU64::new(NEVER), recorder: AtomicU64::new(NEVER) };

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

/// A peak was found, perhaps not a new one.
pub(crate) fn peak_is(peak: i64) {
    // The recorder's first, as in all calls: the program's function may take long.
    for party in [Party::Recorder, Party::Program] {
        let watched = WATCHED.of(party);
        let limit = watched.load(Relaxed);
        if limit == NEVER {
            continue;
        }
        let peak = peak.wrapping_sub(totals::live_at_begin()).max(0).cast_unsigned();
        if peak > limit && watched.compare_exchange(limit, NEVER, Relaxed, Relaxed).is_ok() {
            WAKE.of(party).call(Wake::Peak);
        }
    }
}

/// Events wait to be taken.
pub(crate) fn events_wait() {
    WAKE.call(Wake::Events);
}
