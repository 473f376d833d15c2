//! Named pieces of work, and what each allocated, freed and held at most.
//!
//! - `site`: where an operation is named in the program;
//! - `paths`: operations within operations, a number for each path;
//! - `activations`: those that run on a thread, and what was counted when they began;
//! - `records`: what a thread counted for each path;
//! - `guard`, `future`: how a program enters and leaves;
//! - `summary`: all threads together, as a table.

mod activations;
mod future;
mod guard;
mod paths;
mod records;
mod site;
mod summary;

pub(crate) use activations::Activations;
pub use activations::set_wall_time;
pub use future::{TrackFuture, Tracked};
pub use guard::OperationGuard;
pub(crate) use records::Records;
pub use site::OperationSite;
pub use summary::{Operation, Operations, WallTime, operations};
pub(crate) use summary::{calls, names};

use crate::hook::shard::Mine;

/// The path of what runs on the thread, by its number.
pub(crate) fn current_operation(mine: Mine) -> u32 {
    mine.activations().current()
}
