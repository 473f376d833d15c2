//! Settings of a recorder that runs in the same process as the program, such as a session.
//!
//! Each function but [`watch_live`] and [`set_default_rate`] does the same as the function of that
//! name in [`hooks`](crate::hooks), [`event`](crate::event) or [`operation`](mod@crate::operation),
//! for a separate setting. If both the program and the recorder set a callback, both are called. A switch
//! is on if either of them has it on. So a recorder that starts and stops leaves the program's
//! settings as they were. There is one recorder at a time.
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

use crate::record::callbacks::Party::Recorder;
use crate::record::callbacks::{Refusal, Wake};
use crate::record::rate::Rate;
use crate::record::{events, hooks, running, switch};

/// Sets the function that wakes the recorder; see [`set_wake`](crate::hooks::set_wake).
pub fn set_wake(function: Option<fn(Wake)>) {
    hooks::set_wake_for(Recorder, function);
}

/// Requests one call of the recorder's function, as soon as the process's live bytes are found above
/// `above_bytes`. If they are above that already, the function is called at once.
///
/// Unlike [`watch_peak`](crate::hooks::watch_peak), this also finds live bytes that are below an
/// earlier peak. They are found at the same moments as a new peak. The watch ends with that one
/// call. `u64::MAX` ends it early.
///
/// ```
/// use memprof::heap::hooks::Wake;
/// use memprof::heap::{recorder, totals, Level};
/// use memprof::Allocator;
/// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// static BURSTS: AtomicU32 = AtomicU32::new(0);
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// drop(vec![0_u8; 8_000_000]);
/// recorder::set_wake(Some(|why| {
///     if why == Wake::Peak {
///         BURSTS.fetch_add(1, Relaxed);
///     }
/// }));
/// recorder::watch_live(totals()?.live_bytes().unsigned_abs() + 1_000_000);
/// let burst = vec![0_u8; 4_000_000];
/// assert_eq!(BURSTS.load(Relaxed), 1, "although the peak is 8 MB");
/// # drop(burst);
/// # Ok(())
/// # }
/// ```
pub fn watch_live(above_bytes: u64) {
    hooks::watch_live(above_bytes);
}

/// Sets the rate at which blocks are sampled while the program has not [set one](crate::set_rate).
///
/// A rate of the program stays in effect, even if it is coarser. The default is [`Rate::ADAPTIVE`],
/// which a recorder restores when it ends.
///
/// ```
/// use memprof::heap::recorder::set_default_rate;
/// use memprof::heap::{set_level, set_rate, sites, Level, Rate};
/// use memprof::Allocator;
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system();
///
/// # fn main() -> Result<(), memprof::heap::NotRecorded> {
/// set_level(Level::Sampled);
/// set_default_rate(Rate::adaptive(64 << 10, 4096));
/// assert_eq!(sites()?.mean_bytes, 64 << 10);
/// set_rate(Rate::every(1 << 20));
/// assert_eq!(sites()?.mean_bytes, 1 << 20);
/// # Ok(())
/// # }
/// ```
pub fn set_default_rate(rate: Rate) {
    switch::set_default_rate(rate);
}

/// Sets the recorder's function for refused memory; see
/// [`set_on_refusal`](crate::hooks::set_on_refusal). It is called before the program's.
pub fn set_on_refusal(function: Option<fn(Refusal)>) {
    hooks::set_on_refusal_for(Recorder, function);
}

/// Sets whether each call of an operation is kept as an event for the recorder; see
/// [`set_operation_events`](crate::event::set_operation_events).
pub fn set_operation_events(on: bool) {
    events::keep_events(Recorder, on);
}

/// Sets whether calls of operations are timed for the recorder; see
/// [`set_wall_time`](crate::operation::set_wall_time).
pub fn set_wall_time(on: bool) {
    running::time_calls(Recorder, on);
}
