//! The switches that make calls read the clock, for wall times or for events.

use crate::base::clock::nanoseconds;
use crate::base::party::Switch;

/// The switch for timing calls.
pub(super) static TIMES: Switch = Switch::off();
/// The switch for keeping events of calls.
pub(super) static EVENTS: Switch = Switch::off();

/// The mark of a call whose time is recorded when it ends. Smaller marks belong to `stack`.
pub(super) const TIMED: u32 = 1 << 3;
/// The mark of a call whose event is kept when it ends.
pub(super) const EVENT: u32 = 1 << 4;

/// Returns true if a switch is on, so that each call reads the clock.
pub(super) fn is_any_on() -> bool {
    TIMES.is_on() || EVENTS.is_on()
}

/// Returns the time at which a call begins and the marks of the switches that are on; 0 and no mark
/// if both are off.
pub(super) fn begin() -> (u64, u32) {
    let timed = if TIMES.is_on() { TIMED } else { 0 };
    let kept = if EVENTS.is_on() { EVENT } else { 0 };
    let marks = timed | kept;
    (if marks == 0 { 0 } else { nanoseconds() }, marks)
}
