/** The types of the data that `data.ts` reads from the contents of a page (`contents.d.ts`).
 * Columns are arrays of numbers here, and unknown values are `NaN`. */

export interface PageData extends Contents.Head, Contents.Tables {
  charts: Chart[];
  marks: Contents.Mark[];
  /** The snapshots in chronological order. */
  snapshots: Snapshot[];
  /** The paths of operations. A call has the index of its path. */
  paths: Contents.OperationPath[];
  threads: Thread[];
  lanes: Lane[];
  calls: Calls;
  nodes: Nodes;
  /** Whether a tree shows who keeps shared memory alive. */
  hasHolders: boolean;
  /** Returns the tree of a snapshot, the same object each time. Returns `null` if the page has
   * none. */
  tree(snapshot: number): Tree | null;
}

/** Curves with a common axis of amounts. */
export interface Chart extends Omit<Contents.Chart, "curves"> {
  curves: Curve[];
}

export interface Curve extends Omit<Contents.Curve, "times" | "values"> {
  times: Float64Array;
  values: Float64Array;
}

export interface Snapshot extends Contents.Snapshot {
  hasTree: boolean;
}

export interface Thread extends Contents.Thread {
  /** The indices of the thread's lanes, with the topmost first. */
  lanes: number[];
}

export interface Lane extends Contents.Lane {
  /** The index of the first call. The lane's calls are `first..first + count`. */
  first: number;
}

export interface Calls {
  count: number;
  path: Uint32Array;
  start: Float64Array;
  duration: Float64Array;
  delta: Float64Array;
  before: Float64Array;
  after: Float64Array;
  tensors: Float64Array;
}

/** All nodes of all trees. */
export interface Nodes {
  count: number;
  /** The parent of each node; -1 for the first node, which is the program. */
  parent: Int32Array;
  name: string[];
  /** The `Contents.NodeKind` of each node. */
  kind: Uint8Array;
  /** Returns the device of a node, or "" for the host. */
  device(node: number): string;
}

export interface Tree {
  /** The tree's nodes in rising order. They include parents. */
  nodes: Uint32Array;
  /** Bytes at and below each node, in the same order. */
  bytes: Float64Array;
  /** Allocations at and below each node; `NaN` if unknown. */
  allocations: Float64Array;
  /** The bounds of each node's own bytes: bits of `Bound`. */
  bounds: Uint8Array;
  /** The bounds of the bytes at and below each node. */
  boundsBelow: Uint8Array;
  total: number;
  verdict: string;
  /** Nodes with shared memory, and lines on who keeps it alive. */
  holders: Contents.Tree["holders"];
}

/** Bits for bytes that are not known completely. */
export const Bound = {
  /** The bytes are a lower bound. */
  LEAST: 1,
  /** Another snapshot may have more bytes, so a comparison is doubtful. */
  MISSED: 2,
  /** The bytes are an upper bound. */
  MOST: 4,
} as const;

/** A part of the time axis. */
export interface Range {
  from: number;
  to: number;
}

/** A list of numbers, of any kind of array. */
export type Numbers = ArrayLike<number>;
