//! The functions that wake a recorder, and the peaks at which they are called.

use super::counted;
use crate::base::callback::Callback;
use crate::base::party::{Parties, Party};
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

/// The reason for a call of the function of [`set_wake`](crate::hooks::set_wake).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wake {
    /// The event buffer of a thread is half full, or full. The events should be
    /// [drained](crate::event::drain_operation_events).
    Events,
    /// The process's peak has passed the limit of [`watch_peak`](crate::hooks::watch_peak).
    Peak,
}

pub(crate) static WAKE: Parties<Callback<Wake>> = Parties::none();

/// The limit of a party that watches no peak.
const NEVER: u64 = u64::MAX;

/// The limits in bytes. If the peak is above one, that party's function is called.
pub(crate) static WATCHED: Parties<AtomicU64> =
    Parties { program: AtomicU64::new(NEVER), recorder: AtomicU64::new(NEVER) };

/// Compares a peak, which need not be a new one, with the limits.
pub(crate) fn peak_is(peak: i64) {
    // The recorder's function is first, as in all calls: the program's function may take long.
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

/// Wakes the parties because events wait to be drained.
pub(crate) fn events_wait() {
    WAKE.call(Wake::Events);
}
