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
    /// A thread has 512 events that were not drained, or this number has doubled since. The events
    /// should be [drained](crate::event::drain_operation_events).
    Events,
    /// The process's peak has passed the limit of [`watch_peak`](crate::hooks::watch_peak).
    Peak,
}

pub(crate) static WAKE: Parties<Callback<Wake>> = Parties::none();

/// The limit of a party that watches no peak.
const NO_LIMIT: u64 = u64::MAX;

/// The limits in bytes. If the peak is above one, that party's function is called.
pub(crate) static PEAK_LIMITS: Parties<AtomicU64> =
    Parties { program: AtomicU64::new(NO_LIMIT), recorder: AtomicU64::new(NO_LIMIT) };

/// Compares a peak, which need not be a new one, with the limits.
pub(crate) fn check_peak(peak: i64) {
    // The recorder's function is called first, because the program's function may take long.
    for party in [Party::Recorder, Party::Program] {
        let limit_word = PEAK_LIMITS.of(party);
        let limit = limit_word.load(Relaxed);
        if limit == NO_LIMIT {
            continue;
        }
        let peak = peak.wrapping_sub(counted::live_at_begin()).max(0).cast_unsigned();
        if peak > limit && limit_word.compare_exchange(limit, NO_LIMIT, Relaxed, Relaxed).is_ok() {
            WAKE.of(party).call(Wake::Peak);
        }
    }
}

/// Wakes the parties, because events are ready to be drained.
pub(crate) fn notify_events() {
    WAKE.call(Wake::Events);
}
