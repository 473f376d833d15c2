//! Settings of a recorder that runs in the same process as the program, such as a session.
//!
//! Each function does the same as the function of that name in [`hooks`](crate::hooks),
//! [`event`](crate::event) or [`operation`](mod@crate::operation), for a separate setting. If both
//! the program and the recorder set a callback, both are called. A switch is on if either of them
//! has it on. So a recorder that starts and stops leaves the program's settings as they were. There
//! is one recorder at a time.
//!
//! Each [event](crate::event::drain_operation_events) is returned once, to the first party that
//! drains it.
//!
//! ```
//! use memprof::heap::hooks::{set_wake, Wake};
//! use memprof::heap::recorder;
//!
//! fn of_the_program(_: Wake) {}
//! fn of_the_recorder(_: Wake) {}
//!
//! set_wake(Some(of_the_program));
//! recorder::set_wake(Some(of_the_recorder)); // Both are called.
//! recorder::set_wake(None); // The program's is called.
//! ```

use super::{refusal, wake};
use crate::base::party::Party::Recorder;
use crate::hook::refusal::Refusal;
use crate::operations;
use crate::thread::wake::Wake;

/// Sets the function that wakes the recorder; see [`set_wake`](crate::hooks::set_wake).
pub fn set_wake(function: Option<fn(Wake)>) {
    wake::set(Recorder, function);
}

/// Requests a call of the recorder's function when the peak passes a limit; see
/// [`watch_peak`](crate::hooks::watch_peak).
pub fn watch_peak(above_bytes: u64) {
    wake::watch(Recorder, above_bytes);
}

/// Sets the recorder's function for refused memory; see
/// [`set_on_refusal`](crate::hooks::set_on_refusal). It is called before the program's.
pub fn set_on_refusal(function: Option<fn(Refusal)>) {
    refusal::set(Recorder, function);
}

/// Keeps each call of an operation as an event for the recorder; see
/// [`set_operation_events`](crate::event::set_operation_events).
pub fn set_operation_events(on: bool) {
    operations::keep_events(Recorder, on);
}

/// Times calls of operations for the recorder; see
/// [`set_wall_time`](crate::operation::set_wall_time).
pub fn set_wall_time(on: bool) {
    operations::time_calls(Recorder, on);
}
