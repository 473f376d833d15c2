//! A line of a timeline: what it is of, and that.

use super::{Metadata, OperationEvent, OperationPath, OutOfMemory, Snapshot, Summary};
use serde::{Deserialize, Serialize};

/// A line of a timeline.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Line {
    /// The first line, and a later one where something changed.
    Metadata(Box<Metadata>),
    Snapshot(Box<Snapshot>),
    /// Paths that later events name.
    OperationPaths(Vec<OperationPath>),
    /// Calls, in the order in which they were seen to have ended.
    OperationEvents(Vec<OperationEvent>),
    OutOfMemory(OutOfMemory),
    /// What is known by now; it takes the place of what was known before.
    Summary(Box<Summary>),
}
