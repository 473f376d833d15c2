//! What the global allocator counted and sampled, and what keeps growing.

use super::Estimate;
use serde::{Deserialize, Serialize};

/// How much the allocator recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum HeapLevel {
    /// Exact counts.
    Counters,
    /// Besides, samples of blocks with their call stacks.
    Sampled,
}

/// What the process allocated and freed, exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct HeapTotals {
    /// How much was recorded.
    pub level: HeapLevel,
    /// How long before the session counting began; `None` if it began with the program, so that
    /// nothing is missing.
    pub counted_ns: Option<u64>,
    /// Bytes live, but for the profiler's own; negative where more was freed than allocated since
    /// counting began.
    pub live_bytes: i64,
    /// Bytes live that the profiler holds for its own work. No other figure here includes them.
    pub profiler_bytes: i64,
    /// The most bytes that the profiler held at once; `None` in a file of an older version.
    #[serde(default)]
    pub profiler_peak_bytes: Option<u64>,
    /// Blocks live, but for the profiler's own.
    pub live_blocks: i64,
    /// Bytes that the program allocated, as requested.
    pub allocated_bytes: u64,
    /// Blocks that the program allocated, reallocations included.
    pub allocated_blocks: u64,
    /// Bytes that the program freed.
    pub freed_bytes: u64,
    /// Blocks that the program freed, reallocations included.
    pub freed_blocks: u64,
    /// The most bytes that were found live at once, but for the profiler's own.
    pub peak_bytes: u64,
    /// By how much more it may have been.
    pub peak_error_bytes: u64,
}

/// A place in the source: the innermost function that is the program's own.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Place {
    /// The function; `None` where no debug information tells.
    pub function: Option<String>,
    /// Its file.
    pub file: Option<String>,
    /// The line.
    pub line: Option<u32>,
}

/// What a place in the source holds, estimated from samples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Site {
    /// The place.
    pub place: Place,
    /// Bytes live.
    pub live: Estimate,
    /// Blocks live.
    pub live_blocks: Estimate,
    /// Bytes allocated in all; `None` where only what is live was asked for.
    pub allocated: Option<Estimate>,
    /// The call stack that holds most, the innermost frame first.
    pub stack: Vec<Place>,
}

/// A place in the source whose memory grows, as far as one operation came there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Leak {
    /// The place.
    pub place: Place,
    /// The operations that ran, the outermost first; empty outside of all.
    pub operation: Vec<String>,
    /// By how many bytes it grows in a second.
    pub bytes_per_second: f64,
    /// By how many with each call of the operation; `None` outside of all.
    pub bytes_per_call: Option<f64>,
    /// How unlikely it is that a series without a trend rises as much: 0.99 is one in a hundred.
    pub confidence: f64,
    /// Bytes live of those allocated since the session began.
    pub live: Estimate,
    /// The same in blocks.
    pub live_blocks: Estimate,
    /// The call stack that holds most, the innermost frame first.
    pub stack: Vec<Place>,
}

/// A live block.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Block {
    /// Bytes, as requested.
    pub bytes: u64,
    /// How long ago it was allocated.
    pub age_ns: u64,
    /// The operations that ran, the outermost first.
    pub operation: Vec<String>,
    /// Where it was allocated.
    pub place: Place,
}
