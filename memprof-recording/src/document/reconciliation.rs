//! The part of the live heap that the profiled roots explain.

use super::Estimate;
use serde::{Deserialize, Serialize};

/// The part of the live heap that the roots explain, measured in two independent ways.
///
/// `roots_bytes` is the exact sum of the bytes that the roots' values report as owned. `explained`
/// is an estimate from the allocator's live samples whose blocks a root reached. If the two differ
/// by more than chance explains, a value reports wrong amounts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reconciliation {
    /// Live bytes, counted exactly, including the profiler's own.
    pub live_bytes: i64,
    /// The profiler's own part of the live bytes; `None` if it is unknown.
    pub profiler_bytes: Option<i64>,
    /// The sum of the heap bytes that the roots report as owned. Bytes that two roots share count
    /// twice.
    pub roots_bytes: u64,
    /// `true` if every root was profiled completely and exactly.
    pub roots_exact: bool,
    /// Live bytes in blocks that a root reached, from samples; `None` without samples.
    pub explained: Option<Estimate>,
    /// Live bytes in blocks that no root reached.
    pub unexplained: Option<Estimate>,
    /// Live bytes in blocks that several roots reached.
    pub claimed_twice: Option<Estimate>,
}

impl Reconciliation {
    /// Returns the share of the live heap that the roots report as owned. The profiler's own bytes
    /// are not part of the live heap here.
    ///
    /// The share may exceed 1 if roots share blocks. Returns `None` if nothing is live.
    #[expect(clippy::cast_precision_loss, reason = "a share is rounded")]
    pub fn explained_share(&self) -> Option<f64> {
        let live = self.live_bytes.saturating_sub(self.profiler_bytes.unwrap_or(0));
        (live > 0).then(|| self.roots_bytes as f64 / live as f64)
    }

    /// Returns the share of the sampled live heap that the roots reached. Returns `None` if no
    /// samples were taken, or if nothing is live.
    pub fn sampled_share(&self) -> Option<f64> {
        let (explained, unexplained) = (self.explained?.value, self.unexplained?.value);
        let all = explained + unexplained;
        (all > 0.0).then_some(explained / all)
    }
}

/// The memory that two roots both reached.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClaimedTwice {
    /// The names of the two roots.
    pub roots: [String; 2],
    /// Live bytes in blocks that both reached.
    pub live: Estimate,
}

/// The memory of one operation that no root explains.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnexplainedOperation {
    /// The names of the operations, outermost first; empty outside of operations.
    pub operation: Vec<String>,
    /// Live bytes.
    pub live: Estimate,
    /// Live blocks.
    pub live_blocks: Estimate,
}
