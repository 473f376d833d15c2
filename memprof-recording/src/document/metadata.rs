//! The run of the program that a file describes.

use core::fmt;
use memprof_profile::text::{Shown, rfc3339};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The run of the program that was recorded, and how it was recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    /// The file name of the program.
    pub program: String,
    /// The process id.
    pub pid: u32,
    /// The runs of `memprof run` in which the process was started, separated by commas. `None` if no
    /// run started the process.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The version of memprof that wrote the file.
    pub memprof: String,
    /// The system and processor, as Rust names them: `linux x86_64`.
    pub platform: String,
    /// The start of the session in nanoseconds since 1970-01-01 00:00 UTC. All other times count
    /// from it.
    pub started_unix_ns: u64,
    /// The time at which the file was written, in RFC 3339 and UTC.
    pub generated_at: String,
    /// The time at which the file was written, in nanoseconds since the session began.
    pub generated_ns: u64,
    /// Time between two snapshots of the background sampler, as configured.
    pub interval_ns: u64,
    /// Time between the first snapshots, if it is shorter than `interval_ns`. `None` if it is not
    /// shorter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_interval_ns: Option<u64>,
    /// The number of snapshots taken, including snapshots left out of the file.
    pub snapshots: u64,
    /// `true` if operations were counted.
    pub operations_tracked: bool,
    /// The end of the recording.
    pub ended: Ended,
    /// `true` if the program dropped the session instead of finishing it.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub was_dropped: bool,
}

/// The maximum length of `run`, because each file contains it. `memprof run` sets no longer value.
const LONGEST_RUN: usize = 1024;

impl Metadata {
    /// The variable of the environment that sets `run`.
    pub const RUN: &str = "MEMPROF_RUN";

    /// Returns metadata of this process for a recording that began at this moment, in nanoseconds
    /// since 1970-01-01 00:00 UTC. `run` is that of the environment.
    ///
    /// `interval_ns` and `snapshots` are 0, `first_interval_ns` is `None`, `operations_tracked` is
    /// `false`, and `ended` is `Ended::Running`.
    pub fn of_this_process(started_unix_ns: u64) -> Self {
        Self {
            program: Self::program_name(),
            pid: std::process::id(),
            run: std::env::var(Self::RUN).ok().filter(|run| run.len() <= LONGEST_RUN),
            memprof: env!("CARGO_PKG_VERSION").to_owned(),
            platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            started_unix_ns,
            generated_at: rfc3339(started_unix_ns / 1_000_000_000),
            generated_ns: 0,
            interval_ns: 0,
            first_interval_ns: None,
            snapshots: 0,
            operations_tracked: false,
            ended: Ended::Running,
            was_dropped: false,
        }
    }

    /// Returns the file name of this program; empty if the system does not report it.
    pub fn program_name() -> String {
        let program = std::env::current_exe().ok();
        let name = program.as_deref().and_then(Path::file_name);
        name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
    }
}

/// The end of a recording.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Ended {
    /// The session was running when the file was written, or the program was killed.
    #[default]
    Running,
    /// The program finished the session.
    Finished,
    /// The program ended without finishing the session: it called `exit`, or `main` returned.
    Exited,
    /// This signal ended the program.
    Signal(String),
}

/// Formats the end as text; escapes the name of a signal.
impl fmt::Display for Ended {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Running => out.write_str("still running when this was written, or killed"),
            Self::Finished => out.write_str("finished"),
            Self::Exited => out.write_str("the program exited"),
            Self::Signal(signal) => write!(out, "ended by {}", Shown(signal)),
        }
    }
}
