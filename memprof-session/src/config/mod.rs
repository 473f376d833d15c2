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
    /// The extent to which frames are named in the process.
    pub(crate) names: Names,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            enabled: false,
            output_dir: PathBuf::from("."),
            interval: Duration::from_secs(5),
            begins_dense: true,
            level: Level::Sampled,
            walk_budget: Duration::from_millis(10),
            operation_events: 20_000,
            timeline_bytes: 64 << 20,
            signals: true,
            on_exit: true,
            wall_time: true,
            names: Names::default(),
        }
    }
}

memprof_profile::keywords! {
    /// The extent to which a session names the frames of call stacks in the recorded process.
    ///
    /// Outside of the process, the command `memprof` finds the names that a recording lacks.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Names {
        /// Frames have addresses only. Nothing is read.
        Off => "off",
        /// Frames have functions, files and lines, found in at most 8 MiB of memory and one second
        /// for each summary. The session looks up the frames of the call sites that it lists.
        ///
        /// On platforms other than Linux and Android, this is the same as `Lines`.
        #[default]
        Bounded => "bounded",
        /// Frames have functions, files and lines. Reading the program's debug information takes
        /// tens of megabytes of memory, or hundreds in a large program.
        Lines => "lines",
    }
}

impl Names {
    /// Returns the extent to which the heap's queries name frames.
    pub(crate) fn of_heap(self) -> memprof_heap::site::Names {
        match self {
            Self::Off => memprof_heap::site::Names::Off,
            Self::Bounded if cfg!(any(target_os = "linux", target_os = "android")) => {
                memprof_heap::site::Names::Off
            }
            Self::Bounded | Self::Lines => memprof_heap::site::Names::Lines,
        }
    }
}

#[cfg(test)]
mod tests;
