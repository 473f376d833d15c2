//! The lines of a timeline, the run of the program that it describes, and the operations in it.

use super::{Estimate, LiveStacks, OutOfMemory, Snapshot, StackTable, Summary, TIMELINE, VERSION};
use core::fmt;
use memprof_profile::text::{Shown, rfc3339};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::io;
use std::io::Write;
use std::path::Path;

/// The first line of a timeline.
#[derive(Debug, Serialize, Deserialize)]
pub struct FirstLine<'l> {
    format: Cow<'l, str>,
    version: u64,
    /// The run of the program.
    pub metadata: Cow<'l, Metadata>,
}

impl<'l> FirstLine<'l> {
    /// Returns the first line of a timeline of this run.
    pub const fn new(metadata: &'l Metadata) -> Self {
        let metadata = Cow::Borrowed(metadata);
        Self { format: Cow::Borrowed(TIMELINE), version: VERSION, metadata }
    }
}

/// A line of a timeline. A writer borrows the content, and a reader owns it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line<'l> {
    /// The metadata, if it changed since the first line.
    Metadata(Cow<'l, Metadata>),
    /// A snapshot.
    Snapshot(Cow<'l, Snapshot>),
    /// Paths to which later events refer by number.
    OperationPaths(Cow<'l, [OperationPath]>),
    /// Names of threads to which earlier or later events refer by number.
    ThreadNames(Cow<'l, [ThreadName]>),
    /// Calls, in the order in which the session received their ends.
    OperationEvents(Cow<'l, [OperationEvent]>),
    /// A time at which the inner allocator ran out of memory.
    OutOfMemory(OutOfMemory),
    /// Stacks to which later moments refer by number.
    Stacks(Cow<'l, StackTable>),
    /// Live bytes by stack; replaces an earlier line of the same moment. A line without rows only
    /// adds its pinned memory.
    LiveStacks(Cow<'l, LiveStacks>),
    /// The current summary, which replaces the previous one.
    Summary(Cow<'l, Summary>),
}

/// The run of the program that was recorded, and how it was recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    /// The file name of the program.
    pub program: String,
    /// The process id.
    pub pid: u32,
    /// The runs of `memprof run` in which the process was started, separated by commas. `None` if
    /// `memprof run` did not start the process.
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
    /// The configured interval between snapshots that the session takes on its own.
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
    /// since 1970-01-01 00:00 UTC. `run` is read from the environment.
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
    /// The program exited without finishing the session: it called `exit`, or `main` returned.
    Exited,
    /// This signal terminated the program, after the session had written the document.
    Signal(String),
    /// This signal killed the program before the session could write the document. No file contains
    /// this: `memprof run` waited for the program.
    Killed(String),
    /// The program exited with this status before the session wrote the document, for example by
    /// `_exit`. No file contains this: `memprof run` waited for the program.
    Incomplete(i32),
}

impl Ended {
    /// Returns `true` if the file ends before the program did, or if the program still runs.
    pub(crate) fn is_early(&self) -> bool {
        matches!(self, Self::Running | Self::Killed(_) | Self::Incomplete(_))
    }
}

/// Formats the end as text; escapes the name of a signal.
impl fmt::Display for Ended {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Running => out.write_str("still running when this was written, or killed"),
            Self::Finished => out.write_str("finished"),
            Self::Exited => out.write_str("the program exited"),
            Self::Signal(signal) => write!(out, "ended by {}", Shown(signal)),
            Self::Killed(signal) => write!(out, "killed by {}", Shown(signal)),
            Self::Incomplete(status) => {
                write!(out, "the program exited with status {status} before the recording ended")
            }
        }
    }
}

/// A path of operations; events refer to it by its number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OperationPath {
    /// The number of the path.
    pub path: u32,
    /// The names, outermost first.
    pub names: Vec<String>,
    /// The number of the path around this one; `None` for an outermost operation.
    pub parent: Option<u32>,
    /// The file in which the operation is named.
    pub file: String,
    /// The line in that file.
    pub line: u32,
}

/// Defines a type that is an array of its fields in files, and the names of the array's entries.
macro_rules! array_in_files {
    (
        $(#[$of_type:meta])*
        pub struct $name:ident {
            $($(#[$of_field:meta])* pub $field:ident: $type:ty,)+
        }
    ) => {
        $(#[$of_type])*
        pub struct $name {
            $($(#[$of_field])* pub $field: $type,)+
        }

        impl $name {
            /// The names of the entries of the array.
            pub const COLUMNS: &[&str] = &[$(stringify!($field)),+];
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                ($(self.$field,)+).serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let ($($field,)+) = <($($type,)+)>::deserialize(deserializer)?;
                Ok(Self { $($field),+ })
            }
        }
    };
}

array_in_files! {
    /// An individual call of an operation. In files, a call is an array with these fields in this
    /// order.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct OperationEvent {
        /// The number of the operation's [path](OperationPath).
        pub path: u32,
        /// The thread on which the call ended. Threads are numbered from 1, in the order in
        /// which the allocator first counted for them.
        pub thread: u32,
        /// The start of the call, in nanoseconds since the session began.
        pub start_ns: u64,
        /// The end of the call, in nanoseconds since the session began.
        pub end_ns: u64,
        /// Bytes that the operation's threads allocated during the call, minus bytes that they
        /// freed.
        pub net_bytes: i64,
        /// Bytes live in the process when the call began, minus the bytes live when counting began.
        pub before_bytes: i64,
        /// Bytes live in the process when the call ended, minus the bytes live when counting began.
        pub after_bytes: i64,
        /// Bytes of tensors created minus bytes of tensors dropped; `None` if no framework reports
        /// tensors.
        pub tensor_net_bytes: Option<i64>,
    }
}

/// The name of a thread on which calls ended ([`OperationEvent`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadName {
    /// The number of the thread.
    pub thread: u32,
    /// The name that the operating system has for the thread. Linux cuts names to 15 bytes. The
    /// main thread is called `main`. The text is empty if the thread has no name.
    pub name: String,
}

/// Calls that ended but are not among the events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroppedEvents {
    /// Calls that ended while the buffer in memory was full.
    pub not_recorded: u64,
    /// Calls that ended after the file had reached its maximum of events.
    pub over_cap: u64,
}

/// The counts of all calls of one path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OperationRow {
    /// The names, outermost first.
    pub path: Vec<String>,
    /// The file in which the operation is named.
    pub file: String,
    /// The line in that file.
    pub line: u32,
    /// Calls that ended.
    pub calls: u64,
    /// Bytes allocated.
    pub allocated_bytes: u64,
    /// Blocks allocated.
    pub allocated_blocks: u64,
    /// Bytes freed.
    pub freed_bytes: u64,
    /// Blocks freed.
    pub freed_blocks: u64,
    /// Bytes that the operation allocated itself, without nested operations.
    pub own_allocated_bytes: u64,
    /// Bytes allocated minus bytes freed, by all calls and by work that is bound to the operation.
    pub net_bytes: i64,
    /// The mean change of live bytes by one call; `None` if no call has ended.
    pub average_net_bytes: Option<f64>,
    /// The largest change of live bytes by one call.
    pub max_net_bytes: Option<i64>,
    /// The maximum of live bytes during one call, minus the bytes live when the call began.
    pub peak_bytes: u64,
    /// Bytes live in the process before the call with the largest change, minus the bytes live when
    /// counting began.
    pub before_bytes: Option<i64>,
    /// Bytes live in the process after that call, minus the bytes live when counting began.
    pub after_bytes: Option<i64>,
    /// The time that calls took, if they were timed.
    pub wall_time: Option<WallTime>,
    /// Live bytes that the operation allocated itself, if samples are taken.
    pub retained: Option<Estimate>,
    /// Live blocks that the operation allocated itself, if samples are taken.
    pub retained_blocks: Option<Estimate>,
}

/// The time that calls took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WallTime {
    /// Calls that were timed.
    pub calls: u64,
    /// The sum of the times of all calls.
    pub total_ns: u64,
    /// The time of the longest call.
    pub longest_ns: u64,
}

/// A writer of a timeline of snapshots that no session took.
///
/// Use it, for example, for a memory resource that keeps its own record.
/// [`Recording`](crate::Recording) reads the timeline, and so does every command of `memprof` for
/// sessions.
///
/// ```
/// use memprof::session::document::{Metadata, Snapshot, SourceReading, Trigger};
/// use memprof::session::{Recording, TimelineWriter};
/// use memprof::Profile;
///
/// let mut file = Vec::new();
/// let mut timeline = TimelineWriter::new(&mut file, &Metadata::of_this_process(0))?;
/// let mut snapshot = Snapshot::new(0, 1_000, Trigger::Interval);
/// snapshot.sources.push(SourceReading::new("pool", &Profile::of(&vec![0_u8; 100])));
/// timeline.write(snapshot)?;
/// timeline.finish()?;
///
/// let recording = Recording::from_text(str::from_utf8(&file)?)?;
/// assert_eq!(recording.snapshots[0].sources[0].name, "pool");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TimelineWriter<W: Write> {
    out: W,
}

impl<W: Write> TimelineWriter<W> {
    /// Writes the first line.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn new(out: W, metadata: &Metadata) -> io::Result<Self> {
        let mut timeline = Self { out };
        serde_json::to_writer(&mut timeline.out, &FirstLine::new(metadata))?;
        timeline.out.write_all(b"\n")?;
        Ok(timeline)
    }

    /// Writes a snapshot as a line.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write(&mut self, snapshot: Snapshot) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, &Line::Snapshot(Cow::Owned(snapshot)))?;
        self.out.write_all(b"\n")
    }

    /// Flushes the underlying writer.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}
