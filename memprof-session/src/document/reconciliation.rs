//! How much of the live heap the profiled roots explain.

use super::Estimate;
use serde::{Deserialize, Serialize};

/// How much of the live heap the roots explain.
///
/// It is said twice, by ways that know nothing of each other: `roots_bytes` adds up what the
/// roots' values say they own, exactly; `explained` asks of each live sample of the allocator
/// whether a root came across it. That they differ by more than the standard error tells of values
/// that say something wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Reconciliation {
    /// Bytes live, counted exactly, the profiler's own included.
    pub live_bytes: i64,
    /// Of them, the profiler's own; `None` if it isn't known.
    pub profiler_bytes: Option<i64>,
    /// Heap bytes that all roots together say they own. What two roots share counts twice.
    pub roots_bytes: u64,
    /// Whether every root was profiled whole, and exactly.
    pub roots_exact: bool,
    /// Live bytes in blocks that a root came across, from samples; `None` if none are taken.
    pub explained: Option<Estimate>,
    /// Live bytes in blocks that no root came across.
    pub unexplained: Option<Estimate>,
    /// Live bytes in blocks that several roots came across.
    pub claimed_twice: Option<Estimate>,
}

impl Reconciliation {
    /// The share of the live heap, without the profiler's own, that the roots say they own; may be
    /// above 1 where roots share. `None` if nothing is live.
    #[expect(clippy::cast_precision_loss, reason = "a share is rounded")]
    pub fn explained_share(&self) -> Option<f64> {
        let live = self.live_bytes.saturating_sub(self.profiler_bytes.unwrap_or(0));
        (live > 0).then(|| self.roots_bytes as f64 / live as f64)
    }

    /// The share of the sampled live heap that the roots came across; `None` without samples.
    pub fn sampled_share(&self) -> Option<f64> {
        let (explained, unexplained) = (self.explained?.value, self.unexplained?.value);
        let all = explained + unexplained;
        (all > 0.0).then_some(explained / all)
    }
}

/// What two roots both came across.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ClaimedTwice {
    /// The names of the two.
    pub roots: [String; 2],
    /// Bytes live in blocks that both came across.
    pub live: Estimate,
}

/// What no root explains and an operation allocated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct UnexplainedOperation {
    /// The names, the outermost first; empty outside of all operations.
    pub operation: Vec<String>,
    /// Bytes live.
    pub live: Estimate,
    /// Blocks live.
    pub live_blocks: Estimate,
}
