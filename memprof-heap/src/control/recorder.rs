//! Settings of a recorder that runs beside the program, such as a session.
//!
//! Each function is that of the same name at the root of the crate, with a setting of its own. Where
//! program and recorder both set a function, both are called. Where one of them switches something
//! on, it is on. So a recorder that comes and goes leaves what the program set as it was. There is
//! one recorder at a time.
//!
//! [Events](crate::drain_operation_events) are handed out once: to the first that takes them.
//!
//! ```
//! use memprof_heap::{Wake, recorder, set_wake};
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

/// Sets the function that the recorder is woken by; see [`set_wake`](crate::set_wake).
pub fn set_wake(function: Option<fn(Wake)>) {
    wake::set(Recorder, function);
}

/// Has the recorder's function called when the peak passes a limit; see
/// [`watch_peak`](crate::watch_peak).
pub fn watch_peak(above_bytes: u64) {
    wake::watch(Recorder, above_bytes);
}

/// Sets the recorder's function for refused memory; see [`set_on_refusal`](crate::set_on_refusal).
/// It is called before the program's.
pub fn set_on_refusal(function: Option<fn(Refusal)>) {
    refusal::set(Recorder, function);
}

/// Keeps each call of an operation as an event for the recorder; see
/// [`set_operation_events`](crate::set_operation_events).
pub fn set_operation_events(on: bool) {
    operations::keep_events(Recorder, on);
}

/// Times calls of operations for the recorder; see [`set_wall_time`](crate::set_wall_time).
pub fn set_wall_time(on: bool) {
    operations::time_calls(Recorder, on);
}
