//! What the session knows at its end, or when a file is written.

use super::{
    Block, ClaimedTwice, DroppedEvents, Estimate, FrameworkRow, HeapTotals, Leak, OperationRow,
    Site, UnexplainedOperation,
};
use serde::{Deserialize, Serialize};

/// What the session knows at its end, or when the file was written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Summary {
    /// The moment that this is of, in nanoseconds since the session began; `None` in a file of a
    /// program that was killed before the first summary, and of an older version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_ns: Option<u64>,
    /// The moment of sites, blocks and leaks, whose names take long to look up: earlier than `at_ns`
    /// if the names of that moment were not reached, and `None` if no names were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names_at_ns: Option<u64>,
    /// What each path of operations counted.
    pub operations: Vec<OperationRow>,
    /// What frameworks reported, most CPU time first.
    pub framework_operations: Vec<FrameworkRow>,
    /// Who holds what is live, the most first; the places that hold most.
    pub sites: Vec<Site>,
    /// What the places that are not listed hold.
    pub other_sites: Option<Estimate>,
    /// The largest live blocks.
    pub largest_blocks: Vec<Block>,
    /// What keeps growing, the worst first.
    pub leaks: Vec<Leak>,
    /// What no root explains, by place.
    pub unexplained_sites: Vec<Site>,
    /// What no root explains, by operation.
    pub unexplained_operations: Vec<UnexplainedOperation>,
    /// What two roots both claim.
    pub claimed_twice: Vec<ClaimedTwice>,
    /// Calls that are not among the events.
    pub dropped_events: DroppedEvents,
    /// What was recorded and is in no file, as it could not be written.
    #[serde(skip_serializing_if = "NotWritten::is_empty")]
    pub not_written: NotWritten,
    /// What went wrong with the recording, each once.
    pub warnings: Vec<String>,
}

/// What was recorded and could not be written: the disk was full, or the folder was not there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct NotWritten {
    /// Snapshots.
    pub snapshots: u64,
    /// Single calls of operations.
    pub events: u64,
    /// Paths of operations, without which their calls have no name.
    pub operation_paths: u64,
}

impl NotWritten {
    /// Whether everything was written.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The inner allocator had no memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct OutOfMemory {
    /// When, in nanoseconds since the session began.
    pub at_ns: u64,
    /// Bytes that were asked for.
    pub requested_bytes: u64,
    /// What was live.
    pub heap: Option<HeapTotals>,
}
