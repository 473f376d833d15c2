//! Named pieces of work, and what each allocated, freed and held at most.
//!
//! - `site`: where an operation is named in the program;
//! - `paths`: operations within operations, a number for each path;
//! - `records`: what a thread counted for each path;
//! - `stack`, `activations`, `flow`: those that run on a thread, and what was counted since they
//!   began;
//! - `time`: how long they take;
//! - `parts`: calls that are counted in parts;
//! - `events`: calls one by one;
//! - `guard`, `future`, `spans`: how a program enters and leaves;
//! - `summary`: all threads together, as a table.

mod activations;
mod clock;
mod events;
mod flow;
mod future;
mod guard;
mod parts;
mod paths;
mod records;
mod site;
#[cfg(feature = "tracing_subscriber03")]
mod spans;
mod stack;
mod summary;
mod time;

pub(crate) use activations::{Measurement, end_all};
pub use events::{
    DrainedEvents, OperationEvent, drain_operation_events, event_clock, set_operation_events,
};
pub(crate) use events::{Events, keep_events};
pub use future::{TrackFuture, Tracked};
pub use guard::OperationGuard;
pub use paths::{OperationPath, PathId, PathReader, operation_path, operation_paths};
pub(crate) use records::Records;
pub use site::OperationSite;
#[cfg(feature = "tracing_subscriber03")]
pub use spans::MemoryLayer;
pub(crate) use stack::Activations;
pub use summary::{Operation, Operations, WallTime, operations};
pub(crate) use summary::{calls, names, retained_by};
pub use time::set_wall_time;
pub(crate) use time::{all_look_again, time_calls};

use crate::hook::shard::Mine;

/// The path of what runs on the thread, by its number.
pub(crate) fn current_operation(mine: Mine) -> u32 {
    mine.activations().current()
}
