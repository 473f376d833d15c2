//! Callbacks for profilers in the same process, and ways to leave their own memory out.
//!
//! | question | item |
//! |---|---|
//! | How is a profiler woken? | [`set_wake`], [`Wake`] |
//! | How is it notified of a new peak? | [`watch_peak`] |
//! | How is it notified of refused memory? | [`set_on_refusal`], [`Refusal`] |
//! | How does it keep its own allocations out of the samples? | [`unrecorded`], [`unrecorded_thread`] |
//! | How does it call the program's code within such work? | [`recorded`] |
//!
//! A [`recorder`](crate::recorder) has callbacks of its own, beside the callbacks of the program.

pub use crate::control::refusal::set_on_refusal;
pub use crate::control::unrecorded::{recorded, unrecorded, unrecorded_thread};
pub use crate::control::wake::{set_wake, watch_peak};
pub use crate::hook::refusal::Refusal;
pub use crate::thread::wake::Wake;
