// What `data.js` makes of what a page carries (`contents.d.ts`), for the type checker and for readers;
// not part of the page. Columns are arrays of numbers here, in which unknown is `NaN`.

interface PageData extends Contents.Head, Contents.Tables {
  charts: Chart[];
  marks: Contents.Mark[];
  /** In the order of time. */
  snapshots: Snapshot[];
  /** By the index that calls name. */
  paths: Contents.OperationPath[];
  threads: Thread[];
  lanes: Lane[];
  calls: Calls;
  nodes: Nodes;
  /** Makes the tree of a snapshot; the same object each time. `null` if the page has none. */
  tree(snapshot: number): Tree | null;
}

/** A set of curves over the same axis of amounts. */
interface Chart extends Omit<Contents.Chart, "curves"> {
  curves: Curve[];
}

interface Curve extends Omit<Contents.Curve, "times" | "values"> {
  times: Float64Array;
  values: Float64Array;
}

interface Snapshot extends Contents.Snapshot {
  hasTree: boolean;
}

interface Thread {
  thread: number;
  /** Indices of its lanes, the topmost first. */
  lanes: number[];
}

interface Lane extends Contents.Lane {
  /** Its calls are `first..first + count`. */
  first: number;
}

interface Calls {
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
interface Nodes {
  count: number;
  /** -1 of the first, which is the program. */
  parent: Int32Array;
  name: string[] | { [index: number]: string };
  /** A `Contents.NodeKind` each. */
  kind: Uint8Array;
  /** The memory it is in where that is not the host's, else "". */
  device(node: number): string;
}

interface Tree {
  /** Its nodes, rising. Parents are in it as well. */
  nodes: Uint32Array;
  /** Bytes at and below each of them, in the same order. */
  bytes: Float64Array;
  /** Allocations at and below; `NaN` where they are not known. */
  allocations: Float64Array;
  total: number;
  verdict: string;
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
