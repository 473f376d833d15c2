//! The commands that the program sends to the session's thread.

use super::deadline::Deadline;
use super::host_value::HostValue;
use super::reply::Reply;
use super::result::Document;
use super::roots::Root;
use memprof_profile::source::Source;
use memprof_recording::Recording;
use memprof_recording::document::{Snapshot, Trigger};
use std::io;
use std::sync::Arc;

/// How the program finished its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Finish,
    Drop,
}

/// A command to the session's thread.
///
/// The memory of roots, names and sources counts as the program's, even if the profiler drops the
/// command.
pub(crate) enum Command {
    AddRoot(HostValue<Root>),
    RemoveRoot(HostValue<String>),
    AddSource(HostValue<Box<dyn Source>>),
    #[cfg(unix)]
    Warn(String),
    Snapshot {
        trigger: Trigger,
        name: Option<String>,
        reply: Reply<Arc<Snapshot>>,
    },
    /// Answer with the last snapshot, or with a new one if that is older than the interval.
    LatestSnapshot {
        reply: Reply<Arc<Snapshot>>,
    },
    /// Answer with what is in memory, after a snapshot if the last one is older than the interval.
    Recording {
        reply: Reply<Recording>,
    },
    /// Write the document and continue the session.
    Document {
        deadline: Deadline,
        reply: Reply<(Document, io::Result<()>)>,
    },
    /// Write the document and end the session.
    Finish {
        way: Way,
        deadline: Deadline,
        reply: Reply<(Document, io::Result<()>)>,
    },
}
