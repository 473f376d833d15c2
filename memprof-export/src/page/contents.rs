//! The contents of a page, described once for three users: the code that writes pages, the script
//! that reads them, and the tests that parse them. `web/src/contents.d.ts` is generated from this
//! file.
//!
//! Times are nanoseconds since the session began. Bytes are whole numbers. Scripts represent both
//! exactly up to 2^53. Unknown values are `null`, never 0. Every text is safe to show: control
//! characters and characters that reorder text are escaped.

use serde::Serialize;
#[cfg(test)]
use {serde::Deserialize, ts_rs::TS};

/// The data in the HTML of a page: the run that it shows, and the settings of the view.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Head {
    pub(crate) program: String,
    pub(crate) title: String,
    /// The version of memprof that made the recording.
    pub(crate) memprof: String,
    pub(crate) platform: String,
    /// The start of the session as a text. `null` for a profile alone, which has one snapshot and
    /// no chart, mark or call.
    pub(crate) began: Option<String>,
    /// The end of the time axis, which begins at 0.
    pub(crate) end: u64,
    /// The way in which the recording ended, in words.
    pub(crate) ended: String,
    /// `true` if operations were counted.
    pub(crate) tracked: bool,
    /// `true` if the recording has a summary. Without a summary, the totals of operations, the call
    /// sites and the suspects are unknown.
    pub(crate) summed_up: bool,
    /// The time of the summary in words, if it is older than the last snapshot.
    pub(crate) summary_age: Option<String>,
    pub(crate) units: UnitsName,
    /// Sentences about the parts that the page leaves out, and about problems of the recording.
    pub(crate) notes: Vec<String>,
    /// The figures in the page's head.
    pub(crate) facts: Vec<Fact>,
    /// The growth over the recording, if two snapshots have a figure.
    pub(crate) growth: Option<Growth>,
}

/// The change of memory between the first and the last snapshot with a figure.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Growth {
    /// `live heap`, or `resident memory` if no allocator counts.
    pub(crate) what: String,
    pub(crate) bytes: i128,
    /// The times of the two snapshots.
    pub(crate) begin: u64,
    pub(crate) end: u64,
}

/// The initial unit of bytes.
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
    /// `true` if the bytes are a lower bound.
    #[serde(rename = "atLeast")]
    pub(crate) at_least: bool,
    pub(crate) text: Option<String>,
}

/// The contents of a page's compressed stream, except for the columns of numbers.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Document {
    pub(crate) charts: Vec<Chart>,
    pub(crate) marks: Vec<Mark>,
    /// The listed snapshots in chronological order: the first, the last, the peak, and those with
    /// a tree, a failed reading or a name.
    pub(crate) snapshots: Vec<Snapshot>,
    /// Paths of operations. Calls refer to them by index.
    pub(crate) paths: Vec<OperationPath>,
    /// Threads with calls, in the order of their numbers.
    pub(crate) threads: Vec<Thread>,
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

/// Curves with a common axis of amounts.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Chart {
    pub(crate) title: String,
    /// `bytes`, or the unit of gauges: `celsius`, `milliwatts`, `ns`.
    pub(crate) unit: String,
    /// `true` if the chart is folded at first.
    pub(crate) folded: bool,
    pub(crate) curves: Vec<Curve>,
    /// The names of curves without a known value, each with the reason. They are not in `curves`.
    pub(crate) unknown: Vec<(String, String)>,
}

/// A curve. Each value holds until the next time.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) style: Style,
    /// Times in ascending order. Several curves may have the same column.
    pub(crate) times: Column,
    pub(crate) values: Column,
    /// The points at which values become unknown: the index of the time and the reason in words,
    /// such as `locked`. The words are empty if the file has no reason. A gap lasts while values
    /// are unknown.
    pub(crate) gaps: Vec<(usize, String)>,
}

/// The style of a curve: `fill` for an area, `dashed` for figures of the system or a driver,
/// `limit` for a capacity. `least` is the lower end of figures that are not known completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Style {
    Fill,
    Line,
    Dashed,
    Limit,
    Least,
}

/// A moment marked on the time axis.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Mark {
    pub(crate) at: u64,
    pub(crate) kind: MarkKind,
    pub(crate) text: String,
    /// The index of its snapshot, if the page has it.
    pub(crate) snapshot: Option<usize>,
}

/// The reason for a mark.
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
    /// The number in the session's file.
    pub(crate) number: u64,
    pub(crate) at: u64,
    pub(crate) trigger: String,
    /// `true` for the snapshot with the call stacks at the peak, or else with the maximum of live
    /// bytes. If live bytes are unknown, `true` for the snapshot with the maximum of resident bytes.
    pub(crate) peak: bool,
    pub(crate) name: Option<String>,
    pub(crate) live: Option<i64>,
    pub(crate) resident: Option<u64>,
    /// The index of its tree, if the page has it.
    pub(crate) tree: Option<usize>,
    /// Roots and sources that could not be read, with the reason.
    pub(crate) missing: Vec<(String, String)>,
    /// The steps from the roots to the resident memory. Empty if no allocator counts.
    pub(crate) waterfall: Vec<Step>,
    /// `true` if a root was visited only in part, so that the roots own at least the bytes of the
    /// first step.
    pub(crate) roots_at_least: bool,
    /// Live bytes in blocks of roots, in blocks of no root, and in blocks of several roots. `null`
    /// without samples.
    pub(crate) explained: Option<Estimate>,
    pub(crate) unexplained: Option<Estimate>,
    pub(crate) claimed_twice: Option<Estimate>,
    pub(crate) tensor_count: u64,
    /// The largest tensors of each device.
    pub(crate) tensors: Vec<Tensor>,
}

/// A step from the roots to the resident memory.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Step {
    /// `+` for a part, `=` for a sum, empty for the first step.
    pub(crate) sign: String,
    pub(crate) what: String,
    /// The bytes of the step, negative if the step subtracts them.
    pub(crate) bytes: i128,
}

/// An estimate from samples.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Estimate {
    pub(crate) value: f64,
    /// Half the width of the 95 % interval.
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
    /// The index of the parent path, which is lower.
    pub(crate) parent: Option<u32>,
    /// `src/parse.rs:41`, or `unknown`.
    #[serde(rename = "where")]
    pub(crate) place: String,
}

/// A thread with calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Thread {
    pub(crate) number: u32,
    /// `null` if the thread has no name, or an unknown one.
    pub(crate) name: Option<String>,
    /// The name and the number.
    pub(crate) whole: String,
}

/// A row of calls of one thread. The calls do not overlap, and are the next `count` calls of the
/// list of all calls.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Lane {
    pub(crate) thread: u32,
    /// The index of the path that all its calls have; `null` if its calls may have several paths,
    /// because the thread's calls are packed into few rows.
    pub(crate) operation: Option<u32>,
    pub(crate) count: usize,
}

/// Single calls, row by row. The calls of a row are in the order of their starts.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Calls {
    pub(crate) path: Column,
    pub(crate) start: Column,
    pub(crate) duration: Column,
    /// Bytes allocated less bytes freed by the threads of the call.
    pub(crate) delta: Column,
    /// Live bytes of the process when the call began.
    pub(crate) before: Column,
    /// The net bytes of other threads during the call. At its end, `before + delta + others` are
    /// live.
    pub(crate) others: Column,
    /// The change of the bytes of tensors; unknown if the program does not report tensors.
    pub(crate) tensors: Column,
}

/// The summary of the session at its end.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tables {
    /// The counts of all calls of each path, as in the session's file.
    pub(crate) operations: Vec<Operation>,
    pub(crate) frameworks: Vec<Framework>,
    /// The call sites that grew, held memory at the peak, or hold memory at the end: first those that
    /// keep growing, the fastest first.
    pub(crate) sites: Vec<CallSite>,
    /// The live bytes at the end of call sites that are not listed.
    pub(crate) other_sites: Option<Estimate>,
    /// What the watch for leaks found, in words: whether call sites keep growing, then the evidence.
    /// Empty if the suspects are unknown.
    pub(crate) leak_verdict: Vec<String>,
    /// The reason why the suspects are unknown, in words.
    pub(crate) leaks_unknown: Option<String>,
    pub(crate) claimed_twice: Vec<ClaimedTwice>,
    pub(crate) largest_blocks: Vec<Block>,
    /// The memory at the peak. `null` if no stacks were recorded.
    pub(crate) at_peak: Option<AtPeak>,
}

/// The memory at the peak.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct AtPeak {
    /// The moment at which the stacks were recorded, and the live bytes at that moment.
    pub(crate) at: u64,
    pub(crate) live: i64,
    /// The maximum of live bytes.
    pub(crate) bytes: i64,
    /// The live bytes of all call sites, from samples.
    pub(crate) sampled: Estimate,
    /// The number of call sites that are not listed, and their live bytes.
    pub(crate) more: u64,
    pub(crate) other: Estimate,
}

/// A call site. Stacks with the same line of the user's code are one call site.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct CallSite {
    pub(crate) place: String,
    /// Names, the outermost first.
    pub(crate) operation: Vec<String>,
    /// The roots that reached the memory at the peak, the largest part first.
    pub(crate) roots: Vec<String>,
    /// `null` if it is not known to have grown.
    pub(crate) growth: Option<SiteGrowth>,
    /// The live bytes at the peak; `null` if it is not among the listed call sites of the peak.
    pub(crate) peak: Option<Estimate>,
    /// The live bytes at the end; `null` if it is not among the listed call sites of the end.
    pub(crate) live: Option<Estimate>,
    /// The live bytes at the end that no root reaches.
    pub(crate) unexplained: Option<Estimate>,
    pub(crate) allocated: Option<Estimate>,
    pub(crate) blocks: Option<Estimate>,
    /// How long its blocks lived that were freed; `null` if no sampled block was freed.
    pub(crate) lifetime: Option<Lifetime>,
    /// The call stack with the most live bytes, the innermost frame first.
    pub(crate) stack: Vec<String>,
}

/// The growth of a call site.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct SiteGrowth {
    pub(crate) bytes_per_second: f64,
    /// The ends of the interval that contains the true growth in 95 of 100 cases.
    pub(crate) interval: [f64; 2],
    pub(crate) bytes_per_call: Option<f64>,
    /// A sentence for each root that owns the memory.
    pub(crate) held_by: Vec<String>,
    /// `true` if the program freed more than half of the memory before the session ended. The other
    /// figures are then older.
    pub(crate) freed_at_end: bool,
    /// The reason why the call site is no suspect, in words; `null` for a suspect.
    pub(crate) doubt: Option<String>,
}

/// The counts of all calls of one path of operations.
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

/// The figures that a framework reported for one of its operations.
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

/// How long blocks lived that were freed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Lifetime {
    pub(crate) mean_ms: f64,
    /// The ends of the interval that contains the true mean in 95 of 100 cases; `null` with few
    /// samples.
    pub(crate) interval_ms: Option<[f64; 2]>,
    pub(crate) samples: u64,
}

/// Live memory that two roots reach.
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

/// All nodes of all trees. A node is the same in each tree that contains it. A parent comes before
/// its children, and the first node is the program.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Nodes {
    /// The distance from a node back to its parent; 0 for the first node.
    pub(crate) parent: Column,
    /// The [`NodeKind`] of each node.
    pub(crate) kind: Column,
    /// Indices of `names`.
    pub(crate) name: Column,
    /// Indices of `devices`.
    pub(crate) device: Column,
    pub(crate) names: Vec<String>,
    /// The devices: first `cpu`, then for example `cuda:0`.
    pub(crate) devices: Vec<String>,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(test, derive(TS), ts(repr(enum)))]
#[repr(u8)]
pub(crate) enum NodeKind {
    /// A name, without bytes of its own.
    Branch = 0,
    /// A bracketed leaf, such as `[data]`.
    Leaf = 1,
    /// Live heap that no root explains, or memory of a device that no root claims.
    Unexplained = 2,
    /// The sum of nodes that are too small to be listed one by one.
    Others = 3,
    /// The program: the first node. A root or source may have its name.
    Program = 4,
    /// A call site of unexplained memory, with an estimate of its bytes.
    Site = 5,
}

/// The tree of a snapshot. The bytes of a branch are the sum of the bytes of the nodes below it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Tree {
    /// The indices of leaves, in ascending order, and the bytes of each. Contents that could not be
    /// read have a leaf even if none of their bytes are known.
    pub(crate) leaves: Column,
    pub(crate) bytes: Column,
    /// The indices of branches that own allocations themselves, in ascending order, and the number
    /// of allocations of each.
    pub(crate) branches: Column,
    pub(crate) allocations: Column,
    /// The indices of branches below which allocations are not counted, in ascending order.
    pub(crate) uncounted: Vec<u32>,
    /// The indices of branches with contents that were not read, in ascending order. Their bytes and
    /// those of the branches above them are a lower bound. The program is in the list only if its
    /// total is a lower bound.
    pub(crate) unread: Vec<u32>,
    /// The indices of the branches in `unread` that another snapshot may read, in ascending order.
    pub(crate) missed: Vec<u32>,
    /// `true` if a root may own some of the unexplained bytes.
    #[serde(rename = "unexplainedAtMost")]
    pub(crate) unexplained_at_most: bool,
    /// The exactness of the bytes in words, such as `exact` or `not exact: 1 locked`.
    pub(crate) verdict: String,
}
