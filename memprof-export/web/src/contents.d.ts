// The contents of a page. The test of types.rs generates this file from contents.rs. It is not part of
// the page.
//
// Times are nanoseconds since the session began. Bytes are integers. Scripts represent both exactly
// up to 2^53. Unknown values are `null`, never 0. Every text is safe to show, but the page sets it
// only by `textContent` and `fillText`.

declare namespace Contents {
  /** The memory at the peak. */
  type AtPeak = {
    /** The moment at which the stacks were recorded, and the live bytes at that moment. */
    at: number,
    live: number,
    /** The maximum of live bytes. */
    bytes: number,
    /** The live bytes of all call sites, from samples. */
    sampled: Estimate,
    /** The number of call sites that are not listed, and their live bytes. */
    more: number,
    other: Estimate,
    /** The live bytes by type, largest first. Empty if no type is known. */
    types: Array<LiveType>,
  };

  /** A single live block. */
  type Block = {
    bytes: number,
    ageNs: number,
    operation: Array<string>,
    place: string,
  };

  /** A call site. Stacks with the same line of the user's code are one call site. */
  type CallSite = {
    place: string,
    /** Names, outermost first. */
    operation: Array<string>,
    /** The roots that reached the memory at the peak, the largest part first. */
    roots: Array<string>,
    /** `null` if it is not known to have grown. */
    growth: SiteGrowth | null,
    /** The live bytes at the peak; `null` if it is not among the listed call sites of the peak. */
    peak: Estimate | null,
    /** The live bytes at the end; `null` if it is not among the listed call sites of the end. */
    live: Estimate | null,
    /** The live bytes at the end that no root reaches. */
    unexplained: Estimate | null,
    allocated: Estimate | null,
    blocks: Estimate | null,
    /** How long its freed blocks lived; `null` if no sampled block was freed. */
    lifetime: Lifetime | null,
    /** The call stack with the most live bytes, innermost frame first. */
    stack: Array<string>,
  };

  /** Single calls, row by row. The calls of a row are in the order of their starts. */
  type Calls = {
    path: Column,
    start: Column,
    duration: Column,
    /** Bytes allocated minus bytes freed by the threads of the call. */
    delta: Column,
    /** Live bytes of the process when the call began. */
    before: Column,
    /** The net bytes of other threads during the call. At its end, `before + delta + others` are
     * live. */
    others: Column,
    /** The change of the bytes of tensors; unknown if the program does not report tensors. */
    tensors: Column,
  };

  /** Curves with a common axis of amounts. */
  type Chart = {
    title: string,
    /** `bytes`, or the unit of gauges: `celsius`, `milliwatts`, `ns`. */
    unit: string,
    /** `true` if the chart is initially collapsed. */
    folded: boolean,
    curves: Array<Curve>,
    /** The names of curves without a known value, each with the reason. They are not in `curves`. */
    unknown: Array<[string, string]>,
  };

  /** Live memory that two roots reach. */
  type ClaimedTwice = {
    roots: [string, string],
    live: Estimate,
  };

  /** The index of a column of numbers in the stream. */
  type Column = number;

  /** A curve. Each value holds until the next time. */
  type Curve = {
    name: string,
    style: Style,
    /** Times in ascending order. Several curves may have the same column. */
    times: Column,
    values: Column,
    /** The points at which values become unknown: the index of the time and the reason in words,
     * such as `locked`. The words are empty if the file has no reason. A gap lasts while values
     * are unknown. */
    gaps: Array<[number, string]>,
  };

  /** The contents of a page's compressed stream, except for the columns of numbers. */
  type Document = {
    charts: Array<Chart>,
    marks: Array<Mark>,
    /** The listed snapshots in chronological order: the first, the last, the peak, and those with
     * a tree, a failed reading or a name. */
    snapshots: Array<Snapshot>,
    /** Paths of operations. Calls refer to them by index. */
    paths: Array<OperationPath>,
    /** Threads with calls, in the order of their numbers. */
    threads: Array<Thread>,
    /** Rows of calls that do not overlap. */
    lanes: Array<Lane>,
    calls: Calls,
    tables: Tables,
    nodes: Nodes,
    trees: Array<Tree>,
  };

  /** An estimate from samples. */
  type Estimate = {
    value: number,
    /** Half the width of the 95 % interval. */
    side: number,
    samples: number,
  };

  /** A figure: bytes, or a text. */
  type Fact = {
    label: string,
    bytes: number | null,
    /** `true` if the bytes are a lower bound. */
    atLeast: boolean,
    text: string | null,
  };

  /** The figures that a framework reported for one of its operations. */
  type Framework = {
    name: string,
    calls: number,
    cpuNs: number | null,
    deviceNs: number | null,
    cpuBytes: number | null,
    deviceBytes: number | null,
    shapes: string | null,
  };

  /** The change of memory between the first and the last snapshot with a figure. */
  type Growth = {
    /** `live heap`, or `resident memory` if no allocator counts. */
    what: string,
    bytes: number,
    /** The times of the two snapshots. */
    begin: number,
    end: number,
  };

  /** The data in the HTML of a page: the run that it shows, and the settings of the view. */
  type Head = {
    program: string,
    title: string,
    /** The version of memprof that wrote the recording. */
    memprof: string,
    platform: string,
    /** The start of the session as text. `null` for a profile alone, which has one snapshot and
     * no chart, mark or call. */
    began: string | null,
    /** The end of the time axis, which begins at 0. */
    end: number,
    /** How the recording ended, in words. */
    ended: string,
    /** `true` if operations were counted. */
    tracked: boolean,
    /** `true` if the recording has a summary. Without a summary, the totals of operations, the call
     * sites and the suspects are unknown. */
    summedUp: boolean,
    /** The time of the summary in words, if it is older than the last snapshot. */
    summaryAge: string | null,
    units: UnitsName,
    /** Sentences about the parts that the page leaves out, and about problems of the recording. */
    notes: Array<string>,
    /** The figures in the page's header. */
    facts: Array<Fact>,
    /** The growth over the recording, if the memory is known in two snapshots. */
    growth: Growth | null,
  };

  /** A row of calls of one thread. The calls do not overlap, and are the next `count` calls of the
   * list of all calls. */
  type Lane = {
    thread: number,
    /** The index of the path that all its calls have; `null` if its calls may have several paths,
     * because the thread's calls are packed into few rows. */
    operation: number | null,
    count: number,
  };

  /** How long blocks lived that were freed. */
  type Lifetime = {
    meanMs: number,
    /** The ends of the interval that contains the true mean in 95 of 100 cases; `null` with few
     * samples. */
    intervalMs: [number, number] | null,
    samples: number,
  };

  /** The live memory of one type. */
  type LiveType = {
    /** `null` for memory of unknown type. */
    name: string | null,
    live: Estimate,
  };

  /** A moment marked on the time axis. */
  type Mark = {
    at: number,
    kind: MarkKind,
    text: string,
    /** The index of its snapshot, if the page has it. */
    snapshot: number | null,
  };

  /** The reason for a mark. */
  type MarkKind = "checkpoint" | "peak" | "out_of_memory" | "signal";

  /** The kind of a node. */
  enum NodeKind { "Branch" = 0, "Leaf" = 1, "Unexplained" = 2, "Others" = 3, "Program" = 4, "Site" = 5 }

  /** All nodes of all trees. A node is the same in each tree that contains it. A parent comes before
   * its children, and the first node is the program. */
  type Nodes = {
    /** The distance from a node back to its parent; 0 for the first node. */
    parent: Column,
    /** The [`NodeKind`] of each node. */
    kind: Column,
    /** Indices of `names`. */
    name: Column,
    /** Indices of `devices`. */
    device: Column,
    names: Array<string>,
    /** The devices: first `cpu`, then for example `cuda:0`. */
    devices: Array<string>,
  };

  /** The counts of all calls of one path of operations. */
  type Operation = {
    /** Names joined by `;`. */
    path: string,
    where: string,
    calls: number,
    allocated: number,
    allocatedBlocks: number,
    freed: number,
    total: number,
    average: number | null,
    max: number | null,
    peak: number,
    before: number | null,
    after: number | null,
    timeNs: number | null,
    retained: Estimate | null,
  };

  /** A path of operations. */
  type OperationPath = {
    /** The last name. */
    name: string,
    /** All names, joined by `;`. */
    whole: string,
    /** The index of the parent path, which is lower. */
    parent: number | null,
    /** `src/parse.rs:41`, or `unknown`. */
    where: string,
  };

  /** The free memory on pages that have a live block. */
  type Pinned = {
    at: number,
    free: Estimate,
    /** The most bytes that trimming the allocator returns. */
    trimmable: number,
    /** The call sites of the blocks, largest first. */
    sites: Array<PinnedSite>,
  };

  /** The free memory that the blocks of a call site pin. */
  type PinnedSite = {
    place: string,
    operation: Array<string>,
    roots: Array<string>,
    free: Estimate,
    /** The bytes that the system gets back if the blocks are freed and the allocator is then
     * trimmed: at least and at most. */
    returned: [number, number],
  };

  /** The growth of a call site. */
  type SiteGrowth = {
    bytesPerSecond: number,
    /** The ends of the interval that contains the true growth in 95 of 100 cases. */
    interval: [number, number],
    bytesPerCall: number | null,
    /** A sentence for each root that owns the memory. */
    heldBy: Array<string>,
    /** `true` if the program freed more than half of the memory before the session ended. The other
     * figures are then older. */
    freedAtEnd: boolean,
    /** The reason why the call site is no suspect, in words; `null` for a suspect. */
    doubt: string | null,
  };

  /** A snapshot that the page can show, and its figures besides its tree. */
  type Snapshot = {
    /** The number in the session's file. */
    number: number,
    at: number,
    trigger: string,
    /** `true` for the snapshot with the call stacks at the peak, or else with the maximum of live
     * bytes. If live bytes are unknown, `true` for the snapshot with the maximum of resident bytes. */
    peak: boolean,
    name: string | null,
    live: number | null,
    resident: number | null,
    /** The index of its tree, if the page has it. */
    tree: number | null,
    /** Roots and sources that could not be read, with the reason. */
    missing: Array<[string, string]>,
    /** The steps to the resident memory from the roots, or from the live heap without roots. */
    waterfall: Array<Step>,
    /** `true` if a root was visited only in part, so that the roots own at least the bytes of the
     * first step. */
    rootsAtLeast: boolean,
    /** Live bytes in blocks of roots, in blocks of no root, and in blocks of several roots. `null`
     * without samples. */
    explained: Estimate | null,
    unexplained: Estimate | null,
    claimedTwice: Estimate | null,
    tensorCount: number,
    /** The largest tensors of each device. */
    tensors: Array<Tensor>,
  };

  /** A step from the roots to the resident memory. */
  type Step = {
    /** `+` for a part, `=` for a sum, empty for the first step. */
    sign: string,
    what: string,
    /** The bytes of the step, negative if the step subtracts them. */
    bytes: number,
  };

  /** The style of a curve: `fill` for an area, `dashed` for figures of the system or a driver,
   * `limit` for a capacity. `least` is the lower end of figures that are not known completely. */
  type Style = "fill" | "line" | "dashed" | "limit" | "least";

  /** The summary of the session at its end. */
  type Tables = {
    /** The counts of all calls of each path, as in the session's file. */
    operations: Array<Operation>,
    frameworks: Array<Framework>,
    /** The call sites that grew, held memory at the peak, or hold memory at the end: first those that
     * keep growing, the fastest first. */
    sites: Array<CallSite>,
    /** The live bytes at the end of call sites that are not listed. */
    otherSites: Estimate | null,
    /** What the leak watch found, in words: whether call sites keep growing, then the evidence.
     * Empty if the suspects are unknown. */
    leakVerdict: Array<string>,
    /** The part of the resident memory that grows, if it is not the live heap, and the evidence. */
    residentGrowth: [string, string] | null,
    /** The reason why the suspects are unknown, in words. */
    leaksUnknown: string | null,
    claimedTwice: Array<ClaimedTwice>,
    largestBlocks: Array<Block>,
    /** The memory at the peak. `null` if no stacks were recorded. */
    atPeak: AtPeak | null,
    /** `null` if it is unknown what pins free memory, or if little is pinned. */
    pinned: Pinned | null,
  };

  /** A tensor. */
  type Tensor = {
    device: string,
    path: string,
    dtype: string,
    shape: string,
    bytes: number,
    requiresGrad: boolean | null,
    operation: string | null,
  };

  /** A thread with calls. */
  type Thread = {
    number: number,
    /** `null` if the thread has no name, or an unknown one. */
    name: string | null,
    /** The name and the number. */
    whole: string,
  };

  /** The tree of a snapshot. The bytes of a branch are the sum of the bytes of the nodes below it. */
  type Tree = {
    /** The indices of leaves, in ascending order, and the bytes of each. Contents that could not be
     * read have a leaf even if none of their bytes are known. */
    leaves: Column,
    bytes: Column,
    /** The indices of branches that own allocations themselves, in ascending order, and the number
     * of allocations of each. */
    branches: Column,
    allocations: Column,
    /** The indices of branches below which allocations are not counted, in ascending order. */
    uncounted: Array<number>,
    /** The indices of branches with contents that were not read, in ascending order. Their bytes and
     * those of the branches above them are a lower bound. The program is in the list only if its
     * total is a lower bound. */
    unread: Array<number>,
    /** The indices of the branches in `unread` that another snapshot may read, in ascending order. */
    missed: Array<number>,
    /** `true` if a root may own some of the unexplained bytes. */
    unexplainedAtMost: boolean,
    /** The exactness of the bytes in words, such as `exact` or `not exact: 1 locked`. */
    verdict: string,
    /** Branches with shared allocations, and lines about who keeps the allocations alive,
     * largest first. */
    holders: Array<[number, string]>,
  };

  /** The initial unit of bytes. */
  type UnitsName = "iec" | "si" | "bytes";
}
