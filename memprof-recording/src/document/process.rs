//! The memory of the process as the operating system counts it, and the cost of the profiler.

use serde::{Deserialize, Serialize};

/// The memory of the process as the operating system counts it.
///
/// A figure is `None` if the system does not report it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProcessMemory {
    /// Resident memory, including shared pages.
    pub rss_bytes: Option<u64>,
    /// Resident memory that no file backs: heap, stacks, tables.
    pub rss_anonymous_bytes: Option<u64>,
    /// Resident memory that files back: the program's code, libraries, mappings.
    pub rss_file_bytes: Option<u64>,
    /// Resident memory that is shared with other processes and that no file backs.
    pub rss_shared_bytes: Option<u64>,
    /// The peak of resident memory.
    pub rss_peak_bytes: Option<u64>,
    /// Memory that is swapped out.
    pub swap_bytes: Option<u64>,
    /// Memory that the control group (the container) uses.
    pub cgroup_usage_bytes: Option<u64>,
    /// The limit of the control group; also `None` if there is no limit.
    pub cgroup_limit_bytes: Option<u64>,
}

/// The cost of the profiler itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SelfCost {
    /// The time from the start of this snapshot until it was ready to be written. Waits for stuck
    /// roots and sources are not included.
    pub snapshot_ns: u64,
    /// Processor time of the profiler's threads since the session began. Jobs that still run on
    /// other threads are not included.
    pub cpu_ns: Option<u64>,
    /// Live bytes that the profiler holds; the heap's live bytes do not include them.
    pub heap_bytes: Option<i64>,
    /// Bytes of the allocator's own tables, including pages that were never touched.
    ///
    /// The heap's live bytes do not include them. `None` if the allocator does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_bytes: Option<u64>,
}
