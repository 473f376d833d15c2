//! The resident memory of the process, split by what it is for.
//!
//! Most reports of growing memory are about memory that no Rust value owns: free memory that the
//! allocator keeps, libraries in C, stacks, mapped files. The counts of the operating system do not
//! distinguish them, and finding them takes milliseconds, so only some snapshots have this reading.

use serde::{Deserialize, Serialize};

/// A full reading of the resident memory: parts that add up to it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ResidentMemory {
    /// The number of the reading, counted from 1.
    pub number: u64,
    /// The time that the reading took.
    pub took_ns: u64,
    /// `true` if the reading took so long that the session does not repeat it on its own.
    #[serde(skip_serializing_if = "core::ops::Not::not")]
    pub is_slow: bool,
    /// The resident bytes: the sum of the known parts.
    pub resident_bytes: u64,
    /// The number of threads.
    pub threads: u64,
    /// The parts, each kind once, except mapped files. Empty parts are omitted.
    pub parts: Vec<ResidentPart>,
}

/// A part of the resident memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResidentPart {
    /// What the memory is for.
    pub kind: PartKind,
    /// The path of a mapped file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The bytes; `None` if they are unknown, and thus part of another part.
    pub bytes: Option<i64>,
    /// The range that contains the true amount, if the bytes are an estimate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<[i64; 2]>,
}

memprof_profile::keywords! {
    /// What a part of the resident memory is for.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum PartKind {
        /// Live blocks of the program, as counted by memprof's allocator.
        LiveHeap => "live_heap",
        /// The profiler's blocks and tables.
        Profiler => "profiler",
        /// Blocks that C libraries allocated with `malloc`.
        CLibraries => "c_libraries",
        /// Headers and rounding of the allocator's blocks.
        BlockOverhead => "block_overhead",
        /// Allocated memory that is not resident: pages that were never touched, or that are swapped
        /// out. Its bytes are negative.
        NotResident => "not_resident",
        /// Free memory of the program's allocator.
        AllocatorFree => "allocator_free",
        /// Free memory of `malloc`, if the program has another allocator.
        MallocFree => "malloc_free",
        /// Stacks of threads.
        Stacks => "stacks",
        /// Other anonymous maps.
        Anonymous => "anonymous",
        /// The pages of one mapped file: the program, a library, data.
        File => "file",
        /// The pages of mapped files that are not listed.
        OtherFiles => "other_files",
        /// Memory in none of the parts above.
        Unexplained => "unexplained",
    }
}

impl PartKind {
    /// Returns a human-readable name.
    pub const fn label(self) -> &'static str {
        match self {
            Self::LiveHeap => "live heap",
            Self::Profiler => "the profiler's own",
            Self::CLibraries => "C libraries",
            Self::BlockOverhead => "block headers and rounding",
            Self::NotResident => "never touched, or swapped out",
            Self::AllocatorFree => "the allocator's free memory",
            Self::MallocFree => "free memory of malloc",
            Self::Stacks => "thread stacks",
            Self::Anonymous => "other anonymous maps",
            Self::File => "mapped file",
            Self::OtherFiles => "other mapped files",
            Self::Unexplained => "unaccounted for",
        }
    }
}

impl ResidentMemory {
    /// Returns the bytes of all parts of these kinds, or `None` if some of them are unknown.
    pub fn bytes(&self, kinds: &[PartKind]) -> Option<i64> {
        self.parts.iter().filter(|part| kinds.contains(&part.kind)).map(|part| part.bytes).sum()
    }
}

/// The limit that the process is close to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryPressure {
    /// The limit that is closest.
    pub limit: MemoryLimit,
    /// The bytes that count towards the limit, without the page cache.
    pub used_bytes: u64,
    /// The limit.
    pub limit_bytes: u64,
    /// The share of the last 10 seconds in which a task of the group, or of the machine, waited for
    /// memory, in whole percent; `None` if the kernel does not report it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stalled_percent: Option<u64>,
}

memprof_profile::keywords! {
    /// A limit above which the kernel kills the process or refuses memory.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum MemoryLimit {
        /// The limit of the control group (the container), or of an enclosing group. Above
        /// `memory.high`, the kernel only throttles the processes.
        Group => "cgroup",
        /// The limit of the address space, `RLIMIT_AS`.
        AddressSpace => "address_space",
        /// The memory of the machine.
        Machine => "machine",
    }
}

impl MemoryPressure {
    /// Creates a value without a share of stalled time.
    pub const fn new(limit: MemoryLimit, used_bytes: u64, limit_bytes: u64) -> Self {
        Self { limit, used_bytes, limit_bytes, stalled_percent: None }
    }

    /// Returns the used part of the limit in whole percent, rounded down.
    pub fn percent(&self) -> u64 {
        let percent = u128::from(self.used_bytes) * 100 / u128::from(self.limit_bytes.max(1));
        u64::try_from(percent).unwrap_or(u64::MAX)
    }
}
