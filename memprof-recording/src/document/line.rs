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
    /// A moment at which the inner allocator had no memory.
    OutOfMemory(OutOfMemory),
    /// Stacks to which later moments refer by number.
    Stacks(Cow<'l, StackTable>),
    /// Live bytes by stack; replaces an earlier line of the same moment.
    LiveStacks(Cow<'l, LiveStacks>),
    /// The current summary, which replaces the previous one.
    Summary(Cow<'l, Summary>),
}
