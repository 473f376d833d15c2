//! The functions that wake a recorder, and the peaks at which they are called.

use super::counted;
use crate::base::callback::Callback;
use crate::base::party::{Parties, Party};
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

/// Why the function that [`set_wake`](crate::set_wake) was given is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wake {
    /// A thread has kept half of the events that it can, or all: they should be
    /// [taken](crate::drain_operation_events).
    Events,
    /// The process's peak has passed what [`watch_peak`](crate::watch_peak) was given.
    Peak,
}

pub(crate) static WAKE: Parties<Callback<Wake>> = Parties::none();

/// Nobody watches.
const NEVER: u64 = u64::MAX;

/// Bytes of the peak above which each party's function is called.
pub(crate) static WATCHED: Parties<AtomicU64> =
    Parties { program: AtomicU64::new(NEVER), recorder: AtomicU64::new(NEVER) };

/// A peak was found, perhaps not a new one.
pub(crate) fn peak_is(peak: i64) {
    // The recorder's first, as in all calls: the program's function may take long.
    for party in [Party::Recorder, Party::Program] {
        let watched = WATCHED.of(party);
        let limit = watched.load(Relaxed);
        if limit == NEVER {
            continue;
        }
        let peak = peak.wrapping_sub(counted::live_at_begin()).max(0).cast_unsigned();
        if peak > limit && watched.compare_exchange(limit, NEVER, Relaxed, Relaxed).is_ok() {
            WAKE.of(party).call(Wake::Peak);
        }
    }
}

/// Events wait to be taken.
pub(crate) fn events_wait() {
    WAKE.call(Wake::Events);
}
