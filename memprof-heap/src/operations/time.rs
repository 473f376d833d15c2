//! The wall time of calls, if it is switched on.

use super::per_thread::PerThread;
use super::records::Record;
use super::stack::Activation;
use super::switches::{TIMED, TIMES};
use crate::base::party::Party;
use crate::thread::counters::add_unsigned;
use crate::thread::shards;
use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::fence;

/// Sets whether calls of operations are timed by the wall clock. Timing is off at the start.
///
/// Calls that already run are not timed. While timing is on, a call costs about 100 ns more.
pub fn set_wall_time(on: bool) {
    time_calls(Party::Program, on);
}

pub(crate) fn time_calls(party: Party, on: bool) {
    TIMES.set(party, on);
    clear_limits();
}

/// Makes every thread check the switches and the level when it next enters an operation.
pub(crate) fn clear_limits() {
    fence(SeqCst);
    for shard in shards::all() {
        PerThread::of(shard).activations.clear_limit();
    }
}

/// Records the time of an activation that ended, if it is timed.
pub(super) fn note_ended(record: &Record, was: &Activation, ended: u64) {
    if was.marks & TIMED != 0 {
        note(record, ended.saturating_sub(was.began));
    }
}

/// Records the time of a call.
pub(super) fn note(record: &Record, nanoseconds: u64) {
    add_unsigned(&record.timed_calls, 1, Relaxed);
    add_unsigned(&record.nanoseconds, nanoseconds, Relaxed);
    if nanoseconds > record.longest.load(Relaxed) {
        record.longest.store(nanoseconds, Relaxed);
    }
}
