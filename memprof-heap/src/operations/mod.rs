//! Named parts of the program's work, and what each counts on its thread.
//!
//! | module | contents |
//! |---|---|
//! | `site` | the name of an operation and its location in the program |
//! | `paths` | nested operations, and a number for each path |
//! | `per_thread`, `records` | the words of a thread; its counts for each path |
//! | `stack`, `activations`, `flow`, `peaks` | operations that run on a thread, and its counts since they began |
//! | `switches`, `time` | whether calls read the clock, and how long they take |
//! | `parts` | calls that are counted in parts |
//! | `events`, `tensors` | events of individual calls, with tensors |
//! | `guard`, `future`, `spans` | the ways in which a program enters and leaves operations |

mod activations;
mod events;
pub(crate) mod flow;
mod future;
mod guard;
mod parts;
pub(crate) mod paths;
mod peaks;
pub(crate) mod per_thread;
pub(crate) mod records;
mod site;
#[cfg(feature = "tracing_subscriber03")]
mod spans;
mod stack;
mod switches;
mod tensors;
mod time;

pub(crate) use activations::RunningMeasurement;
pub(crate) use events::keep_events;
pub use events::{
    DrainedEvents, OperationEvent, ThreadName, drain_operation_events, drain_with_thread_names,
    event_clock, set_operation_events,
};
pub use future::{TrackFuture, Tracked};
pub use guard::OperationGuard;
pub use site::OperationSite;
#[cfg(feature = "tracing_subscriber03")]
pub use spans::MemoryLayer;
pub(crate) use tensors::report_tensors;
pub use time::set_wall_time;
pub(crate) use time::{clear_limits, time_calls};

use crate::thread::shard::LocalShard;

/// Returns the number of the path that runs on the thread.
pub(crate) fn current_operation(local: LocalShard) -> u32 {
    local.activations().current()
}
