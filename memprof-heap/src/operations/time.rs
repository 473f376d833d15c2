//! How long calls take, if that is asked for.

use super::records::Record;
use crate::hook::counters::add_unsigned;
use crate::hook::threads;
use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::{AtomicBool, fence};
use std::sync::OnceLock;
use std::time::Instant;

static ON: AtomicBool = AtomicBool::new(false);

/// Whether calls of operations are timed as well, by the wall clock; off at the start.
///
/// Calls that run already are not. A call costs some 100 ns more while it is on.
pub fn set_wall_time(on: bool) {
    ON.store(on, Relaxed);
    all_look_again();
}

/// Makes every thread look at the clock's switch and at the level when it next enters an operation.
pub(crate) fn all_look_again() {
    fence(SeqCst);
    for shard in threads::all() {
        shard.activations.look_again();
    }
}

pub(super) fn is_on() -> bool {
    ON.load(Relaxed)
}

/// Nanoseconds since the first call was timed, at least 1.
pub(super) fn nanoseconds() -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let since = FIRST.get_or_init(Instant::now).elapsed().as_nanos();
    u64::try_from(since).unwrap_or(u64::MAX).max(1)
}

/// Notes the time of a call.
pub(super) fn note(record: &Record, nanoseconds: u64) {
    add_unsigned(&record.timed_calls, 1, Relaxed);
    add_unsigned(&record.nanoseconds, nanoseconds, Relaxed);
    if nanoseconds > record.longest.load(Relaxed) {
        record.longest.store(nanoseconds, Relaxed);
    }
}
