//! Individual calls of operations, one event each.
//!
//! | question | item |
//! |---|---|
//! | How are events turned on? | [`set_operation_events`] |
//! | How are they read? | [`drain_operation_events`], [`DrainedEvents`] |
//! | What are the threads called? | [`drain_with_thread_names`], [`ThreadName`] |
//! | What is in an event? | [`OperationEvent`] |
//! | What time is it on the events' clock? | [`event_clock`] |
//! | How is each path read once, when it is new? | [`PathReader`] |

pub use crate::operations::{
    DrainedEvents, OperationEvent, ThreadName, drain_operation_events, drain_with_thread_names,
    event_clock, set_operation_events,
};
pub use crate::results::operation_paths::PathReader;
