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
    /// A thread has 512 events that were not drained. The call repeats each time that this number
    /// doubles. [Drain](crate::event::drain_operation_events) the events.
    Events,
    /// The process's peak has passed the limit of [`watch_peak`](crate::hooks::watch_peak), or its
    /// live bytes have passed the limit of [`recorder::watch_live`](crate::recorder::watch_live).
    Peak,
}

pub(crate) static WAKE: Parties<Callback<Wake>> = Parties::none();

/// The limit while nothing is watched.
pub(crate) const NO_LIMIT: u64 = u64::MAX;

/// The limit of the program's watch in bytes. If the peak is above it, the program's function is
/// called.
pub(crate) static PEAK_LIMIT: AtomicU64 = AtomicU64::new(NO_LIMIT);

/// The limit of the recorder's watch in bytes. If live bytes are above it, the recorder's function
/// is called.
pub(crate) static LIVE_LIMIT: AtomicU64 = AtomicU64::new(NO_LIMIT);

/// Compares live bytes and a peak with the limits. The peak need not be a new one.
pub(crate) fn check_limits(live: i64, peak: i64) {
    // The recorder's function is called first, because the program's function may take long.
    check(&LIVE_LIMIT, live, Party::Recorder);
    check(&PEAK_LIMIT, peak, Party::Program);
}

fn check(limit_word: &AtomicU64, bytes: i64, party: Party) {
    let limit = limit_word.load(Relaxed);
    if limit == NO_LIMIT {
        return;
    }
    let bytes = bytes.wrapping_sub(counted::live_at_begin()).max(0).cast_unsigned();
    if bytes > limit && limit_word.compare_exchange(limit, NO_LIMIT, Relaxed, Relaxed).is_ok() {
        WAKE.of(party).call(Wake::Peak);
    }
}

/// Returns the live bytes of the process at which the recorder's function is called, including
/// those that were live when counting began. Returns `i64::MAX` without a watch.
pub(crate) fn live_limit() -> i64 {
    match LIVE_LIMIT.load(Relaxed) {
        NO_LIMIT => i64::MAX,
        limit => counted::live_at_begin().saturating_add_unsigned(limit),
    }
}

/// Wakes the parties, because events are ready to be drained.
pub(crate) fn notify_events() {
    WAKE.call(Wake::Events);
}
