//! The contents of a page, described once for three users: the code that writes pages, the script
//! that reads them, and the tests that parse them. `web/src/contents.d.ts` is generated from this
//! file.
//!
//! Times are nanoseconds since the session began. Bytes are integers. Scripts represent both
//! exactly up to 2^53. Unknown values are `null`, never 0. Every text is safe to show: control
//! characters and characters that reorder text are escaped.

use serde::Serialize;
#[cfg(test)]
use {serde::Deserialize, ts_rs::TS};

/// Defines types with the traits that their three users need.
macro_rules! contents {
    ($(
        $(#[$more:meta])*
        struct $name:ident { $($(#[$of_field:meta])* $field:ident: $type:ty,)* }
    )*) => {$(
        $(#[$more])*
        #[derive(Debug, Serialize)]
        #[cfg_attr(test, derive(Deserialize, TS))]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $name { $($(#[$of_field])* pub(crate) $field: $type,)* }
    )*};
}

contents! {
    /// The data in the HTML of a page: the run that it shows, and the settings of the view.
    #[derive(Default)]
    struct Head {
        program: String,
        title: String,
        /// The version of memprof that wrote the recording.
        memprof: String,
        platform: String,
        /// The start of the session as text. `null` for a profile alone, which has one snapshot and
        /// no chart, mark or call.
        began: Option<String>,
        /// The end of the time axis, which begins at 0.
        end: u64,
        /// How the recording ended, in words.
        ended: String,
        /// `true` if operations were counted.
        tracked: bool,
        /// `true` if the recording has a summary. Without a summary, the totals of operations, the call
        /// sites and the suspects are unknown.
        summed_up: bool,
        /// The time of the summary in words, if it is older than the last snapshot.
        summary_age: Option<String>,
        units: UnitsName,
        /// Sentences about the parts that the page leaves out, and about problems of the recording.
        notes: Vec<String>,
        /// The figures in the page's header.
        facts: Vec<Fact>,
        /// The growth over the recording, if the memory is known in two snapshots.
        growth: Option<Growth>,
    }

    /// The change of memory between the first and the last snapshot with a figure.
    #[derive(PartialEq, Eq)]
    struct Growth {
        /// `live heap`, or `resident memory` if no allocator counts.
        what: String,
        bytes: i128,
        /// The times of the two snapshots.
        begin: u64,
        end: u64,
    }

    /// A figure: bytes, or a text.
    struct Fact {
        label: String,
        bytes: Option<i128>,
        /// `true` if the bytes are a lower bound.
        at_least: bool,
        text: Option<String>,
    }

    /// The contents of a page's compressed stream, except for the columns of numbers.
    struct Document {
        charts: Vec<Chart>,
        marks: Vec<Mark>,
        /// The listed snapshots in chronological order: the first, the last, the peak, and those with
        /// a tree, a failed reading or a name.
        snapshots: Vec<Snapshot>,
        /// Paths of operations. Calls refer to them by index.
        paths: Vec<OperationPath>,
        /// Threads with calls, in the order of their numbers.
        threads: Vec<Thread>,
        /// Rows of calls that do not overlap.
        lanes: Vec<Lane>,
        calls: Calls,
        tables: Tables,
        nodes: Nodes,
        trees: Vec<Tree>,
    }

    /// Curves with a common axis of amounts.
    struct Chart {
        title: String,
        /// `bytes`, or the unit of gauges: `celsius`, `milliwatts`, `ns`.
        unit: String,
        /// `true` if the chart is initially collapsed.
        folded: bool,
        curves: Vec<Curve>,
        /// The names of curves without a known value, each with the reason. They are not in `curves`.
        unknown: Vec<(String, String)>,
    }

    /// A curve. Each value holds until the next time.
    struct Curve {
        name: String,
        style: Style,
        /// Times in ascending order. Several curves may have the same column.
        times: Column,
        values: Column,
        /// The points at which values become unknown: the index of the time and the reason in words,
        /// such as `locked`. The words are empty if the file has no reason. A gap lasts while values
        /// are unknown.
        gaps: Vec<(usize, String)>,
    }

    /// A moment marked on the time axis.
    struct Mark {
        at: u64,
        kind: MarkKind,
        text: String,
        /// The index of its snapshot, if the page has it.
        snapshot: Option<usize>,
    }

    /// A snapshot that the page can show, and its figures besides its tree.
    #[derive(Default)]
    struct Snapshot {
        /// The number in the session's file.
        number: u64,
        at: u64,
        trigger: String,
        /// `true` for the snapshot with the call stacks at the peak, or else with the maximum of live
        /// bytes. If live bytes are unknown, `true` for the snapshot with the maximum of resident bytes.
        peak: bool,
        name: Option<String>,
        live: Option<i64>,
        resident: Option<u64>,
        /// The index of its tree, if the page has it.
        tree: Option<usize>,
        /// Roots and sources that could not be read, with the reason.
        missing: Vec<(String, String)>,
        /// The steps to the resident memory from the roots, or from the live heap without roots.
        waterfall: Vec<Step>,
        /// `true` if a root was visited only in part, so that the roots own at least the bytes of the
        /// first step.
        roots_at_least: bool,
        /// Live bytes in blocks of roots, in blocks of no root, and in blocks of several roots. `null`
        /// without samples.
        explained: Option<Estimate>,
        unexplained: Option<Estimate>,
        claimed_twice: Option<Estimate>,
        tensor_count: u64,
        /// The largest tensors of each device.
        tensors: Vec<Tensor>,
    }

    /// A step from the roots to the resident memory.
    struct Step {
        /// `+` for a part, `=` for a sum, empty for the first step.
        sign: String,
        what: String,
        /// The bytes of the step, negative if the step subtracts them.
        bytes: i128,
    }

    /// An estimate from samples.
    #[derive(Clone, Copy, Default)]
    struct Estimate {
        value: f64,
        /// Half the width of the 95 % interval.
        side: f64,
        samples: u64,
    }

    /// A tensor.
    struct Tensor {
        device: String,
        path: String,
        dtype: String,
        shape: String,
        bytes: u64,
        requires_grad: Option<bool>,
        operation: Option<String>,
    }

    /// A path of operations.
    #[derive(Clone)]
    struct OperationPath {
        /// The last name.
        name: String,
        /// All names, joined by `;`.
        whole: String,
        /// The index of the parent path, which is lower.
        parent: Option<u32>,
        /// `src/parse.rs:41`, or `unknown`.
        #[serde(rename = "where")]
        place: String,
    }

    /// A thread with calls.
    #[derive(Clone, PartialEq, Eq)]
    struct Thread {
        number: u32,
        /// `null` if the thread has no name, or an unknown one.
        name: Option<String>,
        /// The name and the number.
        whole: String,
    }

    /// A row of calls of one thread. The calls do not overlap, and are the next `count` calls of the
    /// list of all calls.
    struct Lane {
        thread: u32,
        /// The index of the path that all its calls have; `null` if its calls may have several paths,
        /// because the thread's calls are packed into few rows.
        operation: Option<u32>,
        count: usize,
    }

    /// Single calls, row by row. The calls of a row are in the order of their starts.
    struct Calls {
        path: Column,
        start: Column,
        duration: Column,
        /// Bytes allocated minus bytes freed by the threads of the call.
        delta: Column,
        /// Live bytes of the process when the call began.
        before: Column,
        /// The net bytes of other threads during the call. At its end, `before + delta + others` are
        /// live.
        others: Column,
        /// The change of the bytes of tensors; unknown if the program does not report tensors.
        tensors: Column,
    }

    /// The summary of the session at its end.
    #[derive(Default)]
    struct Tables {
        /// The counts of all calls of each path, as in the session's file.
        operations: Vec<Operation>,
        frameworks: Vec<Framework>,
        /// The call sites that grew, held memory at the peak, or hold memory at the end: first those that
        /// keep growing, the fastest first.
        sites: Vec<CallSite>,
        /// The live bytes at the end of call sites that are not listed.
        other_sites: Option<Estimate>,
        /// What the leak watch found, in words: whether call sites keep growing, then the evidence.
        /// Empty if the suspects are unknown.
        leak_verdict: Vec<String>,
        /// The part of the resident memory that grows, if it is not the live heap, and the evidence.
        resident_growth: Option<[String; 2]>,
        /// The reason why the suspects are unknown, in words.
        leaks_unknown: Option<String>,
        claimed_twice: Vec<ClaimedTwice>,
        largest_blocks: Vec<Block>,
        /// The memory at the peak. `null` if no stacks were recorded.
        at_peak: Option<AtPeak>,
        /// `null` if it is unknown what pins free memory, or if little is pinned.
        pinned: Option<Pinned>,
    }

    /// The memory at the peak.
    struct AtPeak {
        /// The moment at which the stacks were recorded, and the live bytes at that moment.
        at: u64,
        live: i64,
        /// The maximum of live bytes.
        bytes: i64,
        /// The live bytes of all call sites, from samples.
        sampled: Estimate,
        /// The number of call sites that are not listed, and their live bytes.
        more: u64,
        other: Estimate,
        /// The live bytes by type, largest first. Empty if no type is known.
        types: Vec<LiveType>,
    }

    /// The live memory of one type.
    struct LiveType {
        /// `null` for memory of unknown type.
        name: Option<String>,
        live: Estimate,
    }

    /// The free memory on pages that have a live block.
    struct Pinned {
        at: u64,
        free: Estimate,
        /// The most bytes that trimming the allocator returns.
        trimmable: u64,
        /// The call sites of the blocks, largest first.
        sites: Vec<PinnedSite>,
    }

    /// The free memory that the blocks of a call site pin.
    struct PinnedSite {
        place: String,
        operation: Vec<String>,
        roots: Vec<String>,
        free: Estimate,
        /// The bytes that the system gets back if the blocks are freed and the allocator is then
        /// trimmed: at least and at most.
        returned: [u64; 2],
    }

    /// A call site. Stacks with the same line of the user's code are one call site.
    #[derive(Default)]
    struct CallSite {
        place: String,
        /// Names, outermost first.
        operation: Vec<String>,
        /// The roots that reached the memory at the peak, the largest part first.
        roots: Vec<String>,
        /// `null` if it is not known to have grown.
        growth: Option<SiteGrowth>,
        /// The live bytes at the peak; `null` if it is not among the listed call sites of the peak.
        peak: Option<Estimate>,
        /// The live bytes at the end; `null` if it is not among the listed call sites of the end.
        live: Option<Estimate>,
        /// The live bytes at the end that no root reaches.
        unexplained: Option<Estimate>,
        allocated: Option<Estimate>,
        blocks: Option<Estimate>,
        /// How long its freed blocks lived; `null` if no sampled block was freed.
        lifetime: Option<Lifetime>,
        /// The call stack with the most live bytes, innermost frame first.
        stack: Vec<String>,
    }

    /// The growth of a call site.
    struct SiteGrowth {
        bytes_per_second: f64,
        /// The ends of the interval that contains the true growth in 95 of 100 cases.
        interval: [f64; 2],
        bytes_per_call: Option<f64>,
        /// A sentence for each root that owns the memory.
        held_by: Vec<String>,
        /// `true` if the program freed more than half of the memory before the session ended. The other
        /// figures are then older.
        freed_at_end: bool,
        /// The reason why the call site is no suspect, in words; `null` for a suspect.
        doubt: Option<String>,
    }

    /// The counts of all calls of one path of operations.
    struct Operation {
        /// Names joined by `;`.
        path: String,
        #[serde(rename = "where")]
        place: String,
        calls: u64,
        allocated: u64,
        allocated_blocks: u64,
        freed: u64,
        total: i64,
        average: Option<f64>,
        max: Option<i64>,
        peak: u64,
        before: Option<i64>,
        after: Option<i64>,
        time_ns: Option<u64>,
        retained: Option<Estimate>,
    }

    /// The figures that a framework reported for one of its operations.
    struct Framework {
        name: String,
        calls: u64,
        cpu_ns: Option<i64>,
        device_ns: Option<i64>,
        cpu_bytes: Option<i64>,
        device_bytes: Option<i64>,
        shapes: Option<String>,
    }

    /// How long blocks lived that were freed.
    struct Lifetime {
        mean_ms: f64,
        /// The ends of the interval that contains the true mean in 95 of 100 cases; `null` with few
        /// samples.
        interval_ms: Option<[f64; 2]>,
        samples: u64,
    }

    /// Live memory that two roots reach.
    struct ClaimedTwice {
        roots: [String; 2],
        live: Estimate,
    }

    /// A single live block.
    struct Block {
        bytes: u64,
        age_ns: u64,
        operation: Vec<String>,
        place: String,
    }

    /// All nodes of all trees. A node is the same in each tree that contains it. A parent comes before
    /// its children, and the first node is the program.
    struct Nodes {
        /// The distance from a node back to its parent; 0 for the first node.
        parent: Column,
        /// The [`NodeKind`] of each node.
        kind: Column,
        /// Indices of `names`.
        name: Column,
        /// Indices of `devices`.
        device: Column,
        names: Vec<String>,
        /// The devices: first `cpu`, then for example `cuda:0`.
        devices: Vec<String>,
    }

    /// The tree of a snapshot. The bytes of a branch are the sum of the bytes of the nodes below it.
    struct Tree {
        /// The indices of leaves, in ascending order, and the bytes of each. Contents that could not be
        /// read have a leaf even if none of their bytes are known.
        leaves: Column,
        bytes: Column,
        /// The indices of branches that own allocations themselves, in ascending order, and the number
        /// of allocations of each.
        branches: Column,
        allocations: Column,
        /// The indices of branches below which allocations are not counted, in ascending order.
        uncounted: Vec<u32>,
        /// The indices of branches with contents that were not read, in ascending order. Their bytes and
        /// those of the branches above them are a lower bound. The program is in the list only if its
        /// total is a lower bound.
        unread: Vec<u32>,
        /// The indices of the branches in `unread` that another snapshot may read, in ascending order.
        missed: Vec<u32>,
        /// `true` if a root may own some of the unexplained bytes.
        unexplained_at_most: bool,
        /// The exactness of the bytes in words, such as `exact` or `not exact: 1 locked`.
        verdict: String,
        /// Branches with shared allocations, and lines about who keeps the allocations alive,
        /// largest first.
        holders: Vec<(u32, String)>,
    }
}

/// The initial unit of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum UnitsName {
    #[default]
    Iec,
    Si,
    Bytes,
}

/// The index of a column of numbers in the stream.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(Deserialize, TS))]
pub(crate) struct Column(pub(crate) usize);

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
