// What `data.js` makes of the page's data, for the type checker and for readers; not part of the page.
//
// Times are nanoseconds since the session began, bytes are whole numbers; both are exact in a
// JavaScript number up to 2^53. Unknown is `null`, in columns `NaN`, never 0. All text is safe to
// show: control characters and those that reorder text were written out by Rust. It still goes into
// the page by `textContent` and `fillText` only.

interface Report {
  program: string;
  title: string;
  memprof: string;
  platform: string;
  /** When the session began, as people read it; `null` of a profile alone: no chart, no mark and no
   * call is there then, and one snapshot. */
  began: string | null;
  /** Where the time axis ends. It begins at 0. */
  end: number;
  /** How the recording ended, in words. */
  ended: string;
  tracked: boolean;
  /** Whether the file got as far as a summary: without one, nothing is known of operations in all,
   * places and leaks. */
  summedUp: boolean;
  summaryAge: string | null;
  units: UnitsName;
  /** What the page leaves out and what went wrong with the recording: sentences. */
  notes: string[];
  /** The figures in the page's head: a label and a value. */
  facts: { label: string; bytes: number | null; text: string | null }[];
  charts: Chart[];
  marks: Mark[];
  /** In the order of time; those of which the page has a tree, or that have a name. */
  snapshots: Snapshot[];
  /** Paths of operations, by the index that calls name. */
  paths: OperationPath[];
  threads: Thread[];
  lanes: Lane[];
  calls: Calls;
  /** What all calls counted, as `OperationRow` of docs/format.md; `path` as text. */
  operations: OperationSummary[];
  frameworks: Framework[];
  sites: Place[];
  leaks: Leak[];
  unexplained: Place[];
  unexplainedOperations: { operation: string[]; live: Estimate; blocks: Estimate }[];
  claimedTwice: { roots: string[]; live: Estimate }[];
  largestBlocks: { bytes: number; ageNs: number; operation: string[]; place: string }[];
  /** What the places that are not listed hold. */
  otherSites: Estimate | null;
  nodes: Nodes;
  /** Makes the tree of a snapshot; the same object each time. `null` if the page has none. */
  tree(snapshot: number): Tree | null;
}

/** What `Table.build` is given; docs in table.js. */
interface TableParts {
  label: string;
  columns: any[];
  sort?: { key: string; down: boolean };
  order?: (...of: any[]) => any;
  open?: (...of: any[]) => any;
  foot?: (...of: any[]) => any;
  pick?: (...of: any[]) => any;
  mark?: (...of: any[]) => any;
  finds?: (...of: any[]) => any;
  none?: string;
}

/** What browsers have and the checker's library does not, and what tests of the page ask. */
interface Window {
  trustedTypes?: { createPolicy(name: string, rules: object): { createScript(text: string): any } };
  __memprof: object;
}
interface Uint8ArrayConstructor {
  fromBase64?(letters: string): Uint8Array<ArrayBuffer>;
}

type UnitsName = "iec" | "si" | "bytes";

/** A set of curves over the same axis of amounts. */
interface Chart {
  title: string;
  /** `bytes`, or what gauges are counted in: `celsius`, `milliwatts`, `ns`, … */
  unit: string;
  /** Whether it is shown only when asked for. */
  folded: boolean;
  curves: Curve[];
}

interface Curve {
  name: string;
  /** `fill`: an area; `line`; `dashed`: told by the system or a driver; `limit`: capacity; `fine`: a
   * thin line of many points, such as the heap at each call. */
  style: "fill" | "line" | "dashed" | "limit" | "fine";
  /** Rising. A value holds until the next time. */
  times: Float64Array;
  values: Float64Array;
  /** Where it stops being known, or for another reason: the index of a time, and why in words, such as
   * `locked`; empty words where nobody tells. Each holds as long as values are `NaN`. */
  gaps: [number, string][];
}

interface Mark {
  at: number;
  kind: "checkpoint" | "peak" | "out_of_memory" | "signal";
  text: string;
  /** The index of the snapshot, if the page has it. */
  snapshot: number | null;
}

interface Snapshot {
  /** As in the session's file. */
  number: number;
  at: number;
  trigger: string;
  /** Whether it is the one of the most live bytes, or else of the most resident. */
  peak: boolean;
  name: string | null;
  live: number | null;
  resident: number | null;
  hasTree: boolean;
  /** Roots and sources that could not be read then, and why. */
  missing: [string, string][];
  /** From the roots to what is resident: a sign, what it is, bytes. Empty if nobody counts. */
  waterfall: { sign: "" | "+" | "="; what: string; bytes: number }[];
  /** What samples say, beside: `null` without. */
  explained: Estimate | null;
  unexplained: Estimate | null;
  claimedTwice: Estimate | null;
  tensorCount: number;
  tensors: { device: string; path: string; dtype: string; shape: string; bytes: number; requiresGrad: boolean | null; operation: string | null }[];
}

interface OperationPath {
  /** The last name, and all of them joined by `;`. */
  name: string;
  whole: string;
  parent: number | null;
  /** `src/parse.rs:41`, or `unknown`. */
  where: string;
}

interface Thread {
  thread: number;
  /** Indices of its lanes, the topmost first. */
  lanes: number[];
}

interface Lane {
  thread: number;
  /** Its calls are `first..first + count`, in the order of their starts; they don't overlap. */
  first: number;
  count: number;
}

interface Calls {
  count: number;
  path: Uint32Array;
  start: Float64Array;
  duration: Float64Array;
  delta: Float64Array;
  before: Float64Array;
  after: Float64Array;
  /** `NaN` where nobody reports tensors. */
  tensors: Float64Array;
}

interface OperationSummary {
  /** Names joined by `;`. */
  path: string;
  where: string;
  calls: number;
  allocated: number;
  allocatedBlocks: number;
  freed: number;
  total: number;
  average: number | null;
  max: number;
  peak: number;
  before: number | null;
  after: number | null;
  timeNs: number | null;
  retained: Estimate | null;
}

interface Framework {
  name: string;
  calls: number;
  cpuNs: number | null;
  deviceNs: number | null;
  cpuBytes: number | null;
  deviceBytes: number | null;
  shapes: string | null;
}

interface Estimate {
  value: number;
  /** Half of the 95 % interval. */
  side: number;
  samples: number;
}

interface Place {
  place: string;
  live: Estimate;
  blocks: Estimate | null;
  allocated: Estimate | null;
  /** The innermost frame first. */
  stack: string[];
}

interface Leak extends Place {
  operation: string[];
  bytesPerSecond: number;
  bytesPerCall: number | null;
  confidence: number;
}

/** All nodes of all trees: a node is the same in each tree that has it. A parent comes before its
 * children; node 0 is the program. */
interface Nodes {
  count: number;
  parent: Int32Array;
  name: string[] | { [index: number]: string };
  kind: Uint8Array;
  /** The memory it is in where that is not the host's, else "". */
  device(node: number): string;
}

/** Values of `Nodes.kind`. */
declare const enum NodeKind {
  /** A name: carries no bytes itself. */
  Branch = 0,
  /** A bracketed leaf, such as `[data]`. */
  Leaf = 1,
  /** Live heap that no root explains; what a device holds and nobody claims. */
  Unattributed = 2,
  /** What is too small to be listed one by one. */
  Others = 3,
}

interface Tree {
  /** Its nodes, rising. Parents are in it as well. */
  nodes: Uint32Array;
  /** Bytes at and below each of them, in the same order. */
  bytes: Float64Array;
  /** Allocations at and below; `NaN` where they are not known. */
  allocations: Float64Array;
  total: number;
  /** What is marked in it: `not exact: 1 locked`, or `exact`. */
  verdict: string;
}
