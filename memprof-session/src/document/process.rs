//! What the system says of the process, and what the profiler costs it.

use serde::{Deserialize, Serialize};

/// The memory of the process as the system counts it. What it does not tell is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ProcessMemory {
    /// Resident: in memory now, shared pages included.
    pub rss_bytes: Option<u64>,
    /// Of it, what no file is behind: heap, stacks, tables.
    pub rss_anonymous_bytes: Option<u64>,
    /// Of it, pages of files: the program's code, libraries, mappings.
    pub rss_file_bytes: Option<u64>,
    /// Of it, memory shared with others that no file is behind.
    pub rss_shared_bytes: Option<u64>,
    /// The most that was resident at once.
    pub rss_peak_bytes: Option<u64>,
    /// What was moved to disk.
    pub swap_bytes: Option<u64>,
    /// What the control group uses, that is the container.
    pub cgroup_usage_bytes: Option<u64>,
    /// What the control group may use at most; `None` too if there is no limit.
    pub cgroup_limit_bytes: Option<u64>,
}

/// What the profiler itself took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct SelfCost {
    /// How long this snapshot took, until it was written.
    pub snapshot_ns: u64,
    /// Processor time of the profiler's threads since the session began, of those that are done.
    pub cpu_ns: Option<u64>,
    /// Bytes live that the profiler holds; no part of the heap's live bytes.
    pub heap_bytes: Option<i64>,
    /// Bytes of the allocator's own tables; no part of the heap. Pages that were never touched are
    /// included. Recordings of older versions do not have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_bytes: Option<u64>,
}
