//! How long calls take, if that is asked for.

use super::events;
use super::records::Record;
use super::stack::{Activation, EVENT, TIMED};
use crate::hook::counters::add_unsigned;
use crate::hook::threads;
use crate::party::{Party, Switch};
use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::fence;
use std::sync::OnceLock;
use std::time::Instant;

static ON: Switch = Switch::off();

/// Whether calls of operations are timed as well, by the wall clock; off at the start.
///
/// Calls that run already are not. A call costs some 100 ns more while it is on.
pub fn set_wall_time(on: bool) {
    time_calls(Party::Program, on);
}

pub(crate) fn time_calls(party: Party, on: bool) {
    ON.set(party, on);
    all_look_again();
}

/// Makes every thread look at the switches and at the level when it next enters an operation.
pub(crate) fn all_look_again() {
    fence(SeqCst);
    for shard in threads::all() {
        shard.activations.look_again();
    }
}

/// Whether somebody asks for more of calls than counts, for which the clock is read.
pub(super) fn is_asked_for() -> bool {
    ON.is_on() || events::are_on()
}

/// The moment at which a call begins, 0 if nobody asks, and the marks that say who does.
pub(super) fn begin() -> (u64, u32) {
    let timed = if ON.is_on() { TIMED } else { 0 };
    let kept = if events::are_on() { EVENT } else { 0 };
    let marks = timed | kept;
    (if marks == 0 { 0 } else { nanoseconds() }, marks)
}

/// Nanoseconds since the clock was first read, at least 1.
pub(super) fn nanoseconds() -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    let since = FIRST.get_or_init(Instant::now).elapsed().as_nanos();
    u64::try_from(since).unwrap_or(u64::MAX).max(1)
}

/// Notes the time of an activation that ended, if it is timed.
pub(super) fn note_ended(record: &Record, was: &Activation, ended: u64) {
    if was.marks & TIMED != 0 {
        note(record, ended.saturating_sub(was.began));
    }
}

/// Notes the time of a call.
pub(super) fn note(record: &Record, nanoseconds: u64) {
    add_unsigned(&record.timed_calls, 1, Relaxed);
    add_unsigned(&record.nanoseconds, nanoseconds, Relaxed);
    if nanoseconds > record.longest.load(Relaxed) {
        record.longest.store(nanoseconds, Relaxed);
    }
}
