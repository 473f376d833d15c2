//! Settings of a session. Precedence, highest first: environment, builder, file, defaults.
//!
//! `docs/session.md` has the table.

mod builder;
mod environment;
mod error;
mod file;
mod layer;
mod setting;

pub(crate) use builder::Resolved;
pub use builder::SessionBuilder;
pub use error::ConfigError;
pub(crate) use error::Origin;

use memprof_heap::Level;
use std::path::PathBuf;
use std::time::Duration;

/// The settings of a session, after all layers are merged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an independent switch")]
pub(crate) struct Config {
    /// `true` if the session is on.
    pub(crate) enabled: bool,
    /// The folder of the files: absolute if the session is on, otherwise as given.
    pub(crate) output_dir: PathBuf,
    /// Time between two snapshots.
    pub(crate) interval: Duration,
    /// `true` if the first snapshots come at shorter intervals, because no interval was set.
    pub(crate) begins_dense: bool,
    /// The level at which the allocator records.
    pub(crate) level: Level,
    /// The time for which each root may be walked.
    pub(crate) walk_budget: Duration,
    /// The maximum number of individual calls of operations in the files; 0 keeps none.
    pub(crate) operation_events: u64,
    /// The maximum size of the timeline's snapshots.
    pub(crate) timeline_bytes: u64,
    /// `true` if a signal that ends the program writes the document first.
    pub(crate) signals: bool,
    /// `true` if the exit of the program writes the document of a session that is not finished.
    pub(crate) on_exit: bool,
    /// `true` if calls of operations are timed.
    pub(crate) wall_time: bool,
}

/// The default of [`Config::walk_budget`]. Without optimization, walks take about 30 times as long.
const WALK_BUDGET: Duration = Duration::from_millis(if cfg!(debug_assertions) { 300 } else { 10 });

impl Default for Config {
    fn default() -> Self {
        Self {
            enabled: false,
            output_dir: PathBuf::from("."),
            interval: Duration::from_secs(5),
            begins_dense: true,
            level: Level::Sampled,
            walk_budget: WALK_BUDGET,
            operation_events: 10_000,
            timeline_bytes: 64 << 20,
            signals: true,
            on_exit: true,
            wall_time: true,
        }
    }
}

#[cfg(test)]
mod tests;
