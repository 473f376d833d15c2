//! The state of the process at a moment.

use super::{
    HeapTotals, ProcessMemory, Reconciliation, RootReading, SelfCost, SourceReading, UnlistedRoots,
};
use serde::{Deserialize, Serialize};

/// The state of the process at a moment.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    /// The number of the snapshot, counted from 0. A gap in the numbers means that snapshots were
    /// dropped to limit the size of the file.
    pub number: u64,
    /// The moment, in nanoseconds since the session began.
    pub at_ns: u64,
    /// The reason why the snapshot was taken.
    pub trigger: Trigger,
    /// The name of the checkpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The allocator's counts; `None` if it does not count.
    pub heap: Option<HeapTotals>,
    /// The memory of the process as the operating system counts it.
    pub process: ProcessMemory,
    /// The cost of the profiler.
    pub profiler: SelfCost,
    /// The number of tensors in all roots.
    pub tensor_count: u64,
    /// The bytes of the roots in each memory.
    pub devices: Vec<DeviceReading>,
    /// The registered roots: all of them, or the 1,000 largest.
    pub roots: Vec<RootReading>,
    /// The sum of the other roots; `None` if all are listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roots_not_listed: Option<UnlistedRoots>,
    /// The readings of other sources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceReading>,
    /// The part of the live heap that the roots explain; `None` if the allocator does not count, if
    /// there is no root, or if a root could not be profiled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reconciliation: Option<Reconciliation>,
}

impl Snapshot {
    /// Returns a snapshot with only its number, time and trigger.
    pub fn new(number: u64, at_ns: u64, trigger: Trigger) -> Self {
        Self {
            number,
            at_ns,
            trigger,
            name: None,
            heap: None,
            process: ProcessMemory::default(),
            profiler: SelfCost::default(),
            tensor_count: 0,
            devices: Vec::new(),
            roots: Vec::new(),
            roots_not_listed: None,
            sources: Vec::new(),
            reconciliation: None,
        }
    }
}

impl Snapshot {
    /// Returns `true` if values of the roots that were not visited may own more bytes.
    pub fn roots_lack_values(&self) -> bool {
        self.roots.iter().any(RootReading::lacks_values)
            || self.roots_not_listed.is_some_and(|others| others.is_lower_bound)
    }
}

memprof_profile::keywords! {
    /// The reason why a snapshot was taken.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Trigger {
        /// The session began.
        Start => "start",
        /// The interval was over.
        Interval => "interval",
        /// The program requested a checkpoint.
        Checkpoint => "checkpoint",
        /// The program requested a snapshot.
        Request => "request",
        /// The heap had grown past the highest recorded moment by 5 %, and by at least 1 MiB.
        Peak => "peak",
        /// A signal requested a snapshot, or ended the program.
        Signal => "signal",
        /// The session ended.
        End => "end",
    }
}

/// The bytes of roots in one memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeviceReading {
    /// The name of the memory: `cpu`, `cuda:0`, `metal:0`.
    pub device: String,
    /// The bytes of the roots in this memory.
    pub bytes: u64,
    /// The tensors in this memory that are among the ten largest of the snapshot, largest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tensors: Vec<TensorReading>,
}

/// A tensor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TensorReading {
    /// The path from the root to the tensor.
    pub path: String,
    /// The type of the tensor's elements.
    pub dtype: String,
    /// The number of elements in each dimension.
    pub shape: Vec<u64>,
    /// The bytes of the tensor.
    pub bytes: u64,
    /// `true` if gradients are kept for the tensor; `None` if the tensor does not report that.
    pub requires_grad: Option<bool>,
    /// The operations in which the tensor was allocated, outermost first; `None` if unknown.
    pub operation: Option<Vec<String>>,
}
