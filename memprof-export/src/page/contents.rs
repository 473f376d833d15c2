//! What a page carries: the one description for the code that writes pages, for the script that reads
//! them (`script/contents.d.ts` is generated from it), and for the tests that read pages back.
//!
//! Times are nanoseconds since the session began. Bytes are whole numbers. Scripts have both exactly up
//! to 2^53. What is not known is `null`, never 0. Every text is safe to show: control characters and
//! those that reorder text are escaped.

use serde::Serialize;
#[cfg(test)]
use {serde::Deserialize, ts_rs::TS};

/// What a page has in its HTML: which run it is of, and how it is shown.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Head {
    pub(crate) program: String,
    pub(crate) title: String,
    /// The version of memprof that recorded.
    pub(crate) memprof: String,
    pub(crate) platform: String,
    /// When the session began, as people read it. `null` of a profile alone, which has one snapshot, and
    /// no chart, mark or call.
    pub(crate) began: Option<String>,
    /// Where the axis of time ends. It begins at 0.
    pub(crate) end: u64,
    /// How the recording ended, in words.
    pub(crate) ended: String,
    /// Whether operations were counted.
    pub(crate) tracked: bool,
    /// Whether the file has a summary. Without one, operations in all, places and leaks are unknown.
    pub(crate) summed_up: bool,
    /// The moment of the summary in words, if it is older than the last snapshot.
    pub(crate) summary_age: Option<String>,
    pub(crate) units: UnitsName,
    /// What the page leaves out and what went wrong with the recording: sentences.
    pub(crate) notes: Vec<String>,
    /// The figures in the page's head.
    pub(crate) facts: Vec<Fact>,
}

/// How bytes are shown at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum UnitsName {
    Iec,
    Si,
    Bytes,
}

/// A figure: bytes, or a text.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Fact {
    pub(crate) label: String,
    pub(crate) bytes: Option<i128>,
    pub(crate) text: Option<String>,
}

/// What a page has in its compressed stream besides columns of numbers.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Document {
    pub(crate) charts: Vec<Chart>,
    pub(crate) marks: Vec<Mark>,
    /// In the order of time: those with a tree, and those with a name.
    pub(crate) snapshots: Vec<Snapshot>,
    /// Paths of operations, by the index that calls name.
    pub(crate) paths: Vec<OperationPath>,
    /// Rows of calls that do not overlap.
    pub(crate) lanes: Vec<Lane>,
    pub(crate) calls: Calls,
    pub(crate) tables: Tables,
    pub(crate) nodes: Nodes,
    pub(crate) trees: Vec<Tree>,
}

/// The index of a column of numbers in the stream.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Column(pub(crate) usize);

/// Curves over one axis of amounts.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Chart {
    pub(crate) title: String,
    /// `bytes`, or the unit of gauges: `celsius`, `milliwatts`, `ns`.
    pub(crate) unit: String,
    /// Whether it is shown only when asked for.
    pub(crate) folded: bool,
    pub(crate) curves: Vec<Curve>,
}

/// A curve. A value holds until the next time.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) style: Style,
    /// Rising times. Several curves may have the same column.
    pub(crate) times: Column,
    pub(crate) values: Column,
    /// Where it stops being known: the index of a time, and the reason in words, such as `locked`. The
    /// words are empty where the file has no reason. Each gap lasts as long as values are unknown.
    pub(crate) gaps: Vec<(usize, String)>,
}

/// How a curve is drawn: `fill` as an area, `dashed` as what the system or a driver said, `limit` as a
/// capacity, `fine` as a thin line of many points, such as the heap at each call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Style {
    Fill,
    Line,
    Dashed,
    Limit,
    Fine,
}

/// A moment to point out.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Mark {
    pub(crate) at: u64,
    pub(crate) kind: MarkKind,
    pub(crate) text: String,
    /// The index of its snapshot, if the page has it.
    pub(crate) snapshot: Option<usize>,
}

/// Why a moment is pointed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum MarkKind {
    Checkpoint,
    Peak,
    OutOfMemory,
    Signal,
}

/// A snapshot that the page can show, and its figures besides its tree.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Snapshot {
    /// As in the session's file.
    pub(crate) number: u64,
    pub(crate) at: u64,
    pub(crate) trigger: String,
    /// Whether it is the one of the most live bytes, or else of the most resident.
    pub(crate) peak: bool,
    pub(crate) name: Option<String>,
    pub(crate) live: Option<i64>,
    pub(crate) resident: Option<u64>,
    /// The index of its tree, if the page has it.
    pub(crate) tree: Option<usize>,
    /// Roots and sources that could not be read then, and why.
    pub(crate) missing: Vec<(String, String)>,
    /// From the roots to what is resident. Empty if no allocator counts.
    pub(crate) waterfall: Vec<Step>,
    /// Live bytes in blocks of roots, of no root, and of several roots: `null` without samples.
    pub(crate) explained: Option<Estimate>,
    pub(crate) unexplained: Option<Estimate>,
    pub(crate) claimed_twice: Option<Estimate>,
    pub(crate) tensor_count: u64,
    /// The largest tensors of each device.
    pub(crate) tensors: Vec<Tensor>,
}

/// A step from the roots to what is resident.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Step {
    /// `+` for a part, `=` for a sum, nothing for the first.
    pub(crate) sign: String,
    pub(crate) what: String,
    /// Negative if the step subtracts them.
    pub(crate) bytes: i128,
}

/// An estimate from samples.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Estimate {
    pub(crate) value: f64,
    /// Half of the 95 % interval.
    pub(crate) side: f64,
    pub(crate) samples: u64,
}

/// A tensor.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tensor {
    pub(crate) device: String,
    pub(crate) path: String,
    pub(crate) dtype: String,
    pub(crate) shape: String,
    pub(crate) bytes: u64,
    pub(crate) requires_grad: Option<bool>,
    pub(crate) operation: Option<String>,
}

/// A path of operations.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct OperationPath {
    /// The last name.
    pub(crate) name: String,
    /// All names, joined by `;`.
    pub(crate) whole: String,
    /// The index of the path around it, which is lower.
    pub(crate) parent: Option<u32>,
    /// `src/parse.rs:41`, or `unknown`.
    #[serde(rename = "where")]
    pub(crate) place: String,
}

/// A row of calls of one thread: the next `count` of all calls.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Lane {
    pub(crate) thread: u32,
    pub(crate) count: usize,
}

/// Single calls, row by row, each row in the order of starts.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Calls {
    pub(crate) path: Column,
    pub(crate) start: Column,
    pub(crate) duration: Column,
    /// Bytes that its threads allocated less those they freed.
    pub(crate) delta: Column,
    /// Live bytes of the process when it began.
    pub(crate) before: Column,
    /// What other threads changed meanwhile. After it, `before + delta + others` are live.
    pub(crate) others: Column,
    /// Unknown where nobody reports tensors.
    pub(crate) tensors: Column,
}

/// What the session knew at its end.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tables {
    /// What all calls of each path counted, as in a session's file.
    pub(crate) operations: Vec<Operation>,
    pub(crate) frameworks: Vec<Framework>,
    pub(crate) sites: Vec<Site>,
    /// What the places that are not listed hold.
    pub(crate) other_sites: Option<Estimate>,
    pub(crate) leaks: Vec<Leak>,
    pub(crate) unexplained: Vec<Site>,
    pub(crate) unexplained_operations: Vec<UnexplainedOperation>,
    pub(crate) claimed_twice: Vec<ClaimedTwice>,
    pub(crate) largest_blocks: Vec<Block>,
}

/// What all calls of one path of operations counted.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Operation {
    /// Names joined by `;`.
    pub(crate) path: String,
    #[serde(rename = "where")]
    pub(crate) place: String,
    pub(crate) calls: u64,
    pub(crate) allocated: u64,
    pub(crate) allocated_blocks: u64,
    pub(crate) freed: u64,
    pub(crate) total: i64,
    pub(crate) average: Option<f64>,
    pub(crate) max: Option<i64>,
    pub(crate) peak: u64,
    pub(crate) before: Option<i64>,
    pub(crate) after: Option<i64>,
    pub(crate) time_ns: Option<u64>,
    pub(crate) retained: Option<Estimate>,
}

/// What a framework reported of one of its operations.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Framework {
    pub(crate) name: String,
    pub(crate) calls: u64,
    pub(crate) cpu_ns: Option<i64>,
    pub(crate) device_ns: Option<i64>,
    pub(crate) cpu_bytes: Option<i64>,
    pub(crate) device_bytes: Option<i64>,
    pub(crate) shapes: Option<String>,
}

/// A place in the source, and what it holds.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Site {
    pub(crate) place: String,
    pub(crate) live: Estimate,
    pub(crate) blocks: Estimate,
    pub(crate) allocated: Option<Estimate>,
    /// The call stack that holds most, the innermost frame first.
    pub(crate) stack: Vec<String>,
}

/// A place in the source whose memory grows.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Leak {
    pub(crate) place: String,
    /// Names, the outermost first.
    pub(crate) operation: Vec<String>,
    pub(crate) live: Estimate,
    pub(crate) blocks: Estimate,
    pub(crate) stack: Vec<String>,
    pub(crate) bytes_per_second: f64,
    pub(crate) bytes_per_call: Option<f64>,
    pub(crate) confidence: f64,
}

/// What no root came across, by operation.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct UnexplainedOperation {
    pub(crate) operation: Vec<String>,
    pub(crate) live: Estimate,
    pub(crate) blocks: Estimate,
}

/// What two roots came across.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct ClaimedTwice {
    pub(crate) roots: [String; 2],
    pub(crate) live: Estimate,
}

/// A single live block.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Block {
    pub(crate) bytes: u64,
    pub(crate) age_ns: u64,
    pub(crate) operation: Vec<String>,
    pub(crate) place: String,
}

/// All nodes of all trees: a node is the same in each tree that has it. A parent comes before its
/// children; the first node is the program.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Nodes {
    /// How far before a node its parent is; 0 of the first.
    pub(crate) parent: Column,
    /// A [`NodeKind`] each.
    pub(crate) kind: Column,
    /// Indices of `names`.
    pub(crate) name: Column,
    /// Indices of `devices`.
    pub(crate) device: Column,
    pub(crate) names: Vec<String>,
    /// `cpu`, which comes first, `cuda:0`.
    pub(crate) devices: Vec<String>,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(test, derive(TS), ts(repr(enum)))]
#[repr(u8)]
pub(crate) enum NodeKind {
    /// A name: it has no bytes itself.
    Branch = 0,
    /// A bracketed leaf, such as `[data]`.
    Leaf = 1,
    /// Live heap that no root explains; what a device holds and nobody claims.
    Unattributed = 2,
    /// What is too small to be listed one by one.
    Others = 3,
}

/// The tree of a snapshot. A branch has the sum of what is below it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Tree {
    /// Nodes with bytes, rising, and their bytes.
    pub(crate) leaves: Column,
    pub(crate) bytes: Column,
    /// Nodes with allocations right at them, rising, and how many.
    pub(crate) branches: Column,
    pub(crate) allocations: Column,
    /// Nodes below which nobody counts allocations, rising.
    pub(crate) uncounted: Vec<u32>,
    /// What is marked in it: `not exact: 1 locked`, or `exact`.
    pub(crate) verdict: String,
}
