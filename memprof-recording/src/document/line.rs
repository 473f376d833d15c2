//! The lines of a timeline: the first line, and the later lines, whose only key is the kind of
//! their content.

use super::{
    LiveStacks, Metadata, OperationEvent, OperationPath, OutOfMemory, Snapshot, StackTable,
    Summary, TIMELINE, ThreadName, VERSION,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The first line of a timeline.
#[derive(Debug, Serialize, Deserialize)]
pub struct FirstLine<'m> {
    format: Cow<'m, str>,
    version: u64,
    /// The run of the program.
    pub metadata: Cow<'m, Metadata>,
}

impl<'m> FirstLine<'m> {
    /// Returns the first line of a timeline of this run.
    pub const fn new(metadata: &'m Metadata) -> Self {
        let metadata = Cow::Borrowed(metadata);
        Self { format: Cow::Borrowed(TIMELINE), version: VERSION, metadata }
    }
}

/// A line of a timeline. Its readers match every kind.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// The metadata, if it changed since the first line.
    Metadata(Box<Metadata>),
    /// A snapshot.
    Snapshot(Box<Snapshot>),
    /// Paths to which later events refer by number.
    OperationPaths(Vec<OperationPath>),
    /// Names of threads to which earlier or later events refer by number.
    ThreadNames(Vec<ThreadName>),
    /// Calls, in the order in which the session received their ends.
    OperationEvents(Vec<OperationEvent>),
    /// A moment at which the inner allocator had no memory.
    OutOfMemory(OutOfMemory),
    /// Stacks to which later moments refer by number.
    Stacks(StackTable),
    /// Live bytes by stack; replaces an earlier line of the same moment.
    LiveStacks(LiveStacks),
    /// The current summary, which replaces the previous one.
    Summary(Box<Summary>),
}
