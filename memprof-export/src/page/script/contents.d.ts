// What a page carries. Generated from contents.rs by the test of types.rs; not part of the page.
//
// Times are nanoseconds since the session began, bytes are whole numbers; a script has both exactly up
// to 2^53. What is not known is `null`, never 0. Every text is safe to show. It still goes into the page
// by `textContent` and `fillText` only.

declare namespace Contents {
  /** A single live block. */
  type Block = {
    bytes: number,
    ageNs: number,
    operation: Array<string>,
    place: string,
  };

  /** Single calls, row by row, each row in the order of starts. */
  type Calls = {
    path: Column,
    start: Column,
    duration: Column,
    /** Bytes that its threads allocated less those they freed. */
    delta: Column,
    /** Live bytes of the process when it began. */
    before: Column,
    /** What other threads changed meanwhile. After it, `before + delta + others` are live. */
    others: Column,
    /** Unknown where nobody reports tensors. */
    tensors: Column,
  };

  /** Curves over one axis of amounts. */
  type Chart = {
    title: string,
    /** `bytes`, or the unit of gauges: `celsius`, `milliwatts`, `ns`. */
    unit: string,
    /** Whether it is shown only when asked for. */
    folded: boolean,
    curves: Array<Curve>,
  };

  /** What two roots came across. */
  type ClaimedTwice = {
    roots: [string, string],
    live: Estimate,
  };

  /** The index of a column of numbers in the stream. */
  type Column = number;

  /** A curve. A value holds until the next time. */
  type Curve = {
    name: string,
    style: Style,
    /** Rising times. Several curves may have the same column. */
    times: Column,
    values: Column,
    /** Where it stops being known: the index of a time, and the reason in words, such as `locked`. The
     * words are empty where the file has no reason. Each gap lasts as long as values are unknown. */
    gaps: Array<[number, string]>,
  };

  /** What a page has in its compressed stream besides columns of numbers. */
  type Document = {
    charts: Array<Chart>,
    marks: Array<Mark>,
    /** In the order of time: those with a tree, and those with a name. */
    snapshots: Array<Snapshot>,
    /** Paths of operations, by the index that calls name. */
    paths: Array<OperationPath>,
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
    /** Half of the 95 % interval. */
    side: number,
    samples: number,
  };

  /** A figure: bytes, or a text. */
  type Fact = {
    label: string,
    bytes: number | null,
    text: string | null,
  };

  /** What a framework reported of one of its operations. */
  type Framework = {
    name: string,
    calls: number,
    cpuNs: number | null,
    deviceNs: number | null,
    cpuBytes: number | null,
    deviceBytes: number | null,
    shapes: string | null,
  };

  /** What a page has in its HTML: which run it is of, and how it is shown. */
  type Head = {
    program: string,
    title: string,
    /** The version of memprof that recorded. */
    memprof: string,
    platform: string,
    /** When the session began, as people read it. `null` of a profile alone, which has one snapshot, and
     * no chart, mark or call. */
    began: string | null,
    /** Where the axis of time ends. It begins at 0. */
    end: number,
    /** How the recording ended, in words. */
    ended: string,
    /** Whether operations were counted. */
    tracked: boolean,
    /** Whether the file has a summary. Without one, operations in all, places and leaks are unknown. */
    summedUp: boolean,
    /** The moment of the summary in words, if it is older than the last snapshot. */
    summaryAge: string | null,
    units: UnitsName,
    /** What the page leaves out and what went wrong with the recording: sentences. */
    notes: Array<string>,
    /** The figures in the page's head. */
    facts: Array<Fact>,
  };

  /** A row of calls of one thread: the next `count` of all calls. */
  type Lane = {
    thread: number,
    count: number,
  };

  /** A place in the source whose memory grows. */
  type Leak = {
    place: string,
    /** Names, the outermost first. */
    operation: Array<string>,
    live: Estimate,
    blocks: Estimate,
    stack: Array<string>,
    bytesPerSecond: number,
    bytesPerCall: number | null,
    confidence: number,
  };

  /** A moment to point out. */
  type Mark = {
    at: number,
    kind: MarkKind,
    text: string,
    /** The index of its snapshot, if the page has it. */
    snapshot: number | null,
  };

  /** Why a moment is pointed out. */
  type MarkKind = "checkpoint" | "peak" | "out_of_memory" | "signal";

  /** What a node is. */
  enum NodeKind { "Branch" = 0, "Leaf" = 1, "Unattributed" = 2, "Others" = 3 }

  /** All nodes of all trees: a node is the same in each tree that has it. A parent comes before its
   * children; the first node is the program. */
  type Nodes = {
    /** How far before a node its parent is; 0 of the first. */
    parent: Column,
    /** A [`NodeKind`] each. */
    kind: Column,
    /** Indices of `names`. */
    name: Column,
    /** Indices of `devices`. */
    device: Column,
    names: Array<string>,
    /** `cpu`, which comes first, `cuda:0`. */
    devices: Array<string>,
  };

  /** What all calls of one path of operations counted. */
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
    /** The index of the path around it, which is lower. */
    parent: number | null,
    /** `src/parse.rs:41`, or `unknown`. */
    where: string,
  };

  /** A place in the source, and what it holds. */
  type Site = {
    place: string,
    live: Estimate,
    blocks: Estimate,
    allocated: Estimate | null,
    /** The call stack that holds most, the innermost frame first. */
    stack: Array<string>,
  };

  /** A snapshot that the page can show, and its figures besides its tree. */
  type Snapshot = {
    /** As in the session's file. */
    number: number,
    at: number,
    trigger: string,
    /** Whether it is the one of the most live bytes, or else of the most resident. */
    peak: boolean,
    name: string | null,
    live: number | null,
    resident: number | null,
    /** The index of its tree, if the page has it. */
    tree: number | null,
    /** Roots and sources that could not be read then, and why. */
    missing: Array<[string, string]>,
    /** From the roots to what is resident. Empty if no allocator counts. */
    waterfall: Array<Step>,
    /** Live bytes in blocks of roots, of no root, and of several roots: `null` without samples. */
    explained: Estimate | null,
    unexplained: Estimate | null,
    claimedTwice: Estimate | null,
    tensorCount: number,
    /** The largest tensors of each device. */
    tensors: Array<Tensor>,
  };

  /** A step from the roots to what is resident. */
  type Step = {
    /** `+` for a part, `=` for a sum, nothing for the first. */
    sign: string,
    what: string,
    /** Negative if the step subtracts them. */
    bytes: number,
  };

  /** How a curve is drawn: `fill` as an area, `dashed` as what the system or a driver said, `limit` as a
   * capacity, `fine` as a thin line of many points, such as the heap at each call. */
  type Style = "fill" | "line" | "dashed" | "limit" | "fine";

  /** What the session knew at its end. */
  type Tables = {
    /** What all calls of each path counted, as in a session's file. */
    operations: Array<Operation>,
    frameworks: Array<Framework>,
    sites: Array<Site>,
    /** What the places that are not listed hold. */
    otherSites: Estimate | null,
    leaks: Array<Leak>,
    unexplained: Array<Site>,
    unexplainedOperations: Array<UnexplainedOperation>,
    claimedTwice: Array<ClaimedTwice>,
    largestBlocks: Array<Block>,
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

  /** The tree of a snapshot. A branch has the sum of what is below it. */
  type Tree = {
    /** Nodes with bytes, rising, and their bytes. */
    leaves: Column,
    bytes: Column,
    /** Nodes with allocations right at them, rising, and how many. */
    branches: Column,
    allocations: Column,
    /** Nodes below which nobody counts allocations, rising. */
    uncounted: Array<number>,
    /** What is marked in it: `not exact: 1 locked`, or `exact`. */
    verdict: string,
  };

  /** What no root came across, by operation. */
  type UnexplainedOperation = {
    operation: Array<string>,
    live: Estimate,
    blocks: Estimate,
  };

  /** How bytes are shown at first. */
  type UnitsName = "iec" | "si" | "bytes";
}
