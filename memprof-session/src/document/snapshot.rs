//! What the process held at a moment.

use super::{HeapTotals, ProcessMemory, Reconciliation, RootReading, SelfCost, SourceReading};
use serde::{Deserialize, Serialize};

/// What the process held at a moment.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Snapshot {
    /// Its number, from 0 on. Numbers that are missing were thinned out.
    pub number: u64,
    /// When, in nanoseconds since the session began.
    pub at_ns: u64,
    /// Why it was taken.
    pub trigger: Trigger,
    /// The name of the checkpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What the allocator counted; `None` if it does not count.
    pub heap: Option<HeapTotals>,
    /// What the system says.
    pub process: ProcessMemory,
    /// What the profiler took.
    pub profiler: SelfCost,
    /// Tensors in all roots.
    pub tensor_count: u64,
    /// What roots hold, by the memory it is in.
    pub devices: Vec<DeviceReading>,
    /// The registered roots.
    pub roots: Vec<RootReading>,
    /// What other sources told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<SourceReading>,
    /// How much of the live heap the roots explain; `None` where nobody counts or no root is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reconciliation: Option<Reconciliation>,
}

impl Snapshot {
    /// A snapshot that knows nothing yet but when and why it was taken.
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
            sources: Vec::new(),
            reconciliation: None,
        }
    }
}

/// Why a snapshot was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Trigger {
    /// The session began.
    Start,
    /// The interval was over.
    Interval,
    /// The program named a moment.
    Checkpoint,
    /// The program asked for one.
    Request,
    /// The heap had grown past the highest peak of a snapshot by a tenth.
    Peak,
    /// A signal asked for one, or ended the program.
    Signal,
    /// The session ended.
    End,
}

impl Trigger {
    /// The word that files and people are given.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Interval => "interval",
            Self::Checkpoint => "checkpoint",
            Self::Request => "request",
            Self::Peak => "peak",
            Self::Signal => "signal",
            Self::End => "end",
        }
    }
}

/// What roots hold in one memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DeviceReading {
    /// `cpu`, `cuda:0`, `metal:0`.
    pub device: String,
    /// Bytes.
    pub bytes: u64,
    /// Those of the snapshot's ten largest tensors that are there, the largest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tensors: Vec<TensorReading>,
}

/// A tensor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TensorReading {
    /// Where it hangs: its path, from the root on.
    pub path: String,
    /// The type of its elements.
    pub dtype: String,
    /// Elements per dimension.
    pub shape: Vec<u64>,
    /// Its bytes.
    pub bytes: u64,
    /// Whether gradients are kept for it; `None` if it does not say.
    pub requires_grad: Option<bool>,
    /// The operation in which it was allocated, the outermost first; `None` if that isn't known.
    pub operation: Option<Vec<String>>,
}
