// The result of `data.js` for the contents of a page (`contents.d.ts`), for the type checker and
// for readers. It is not part of the page. Columns are arrays of numbers here, and unknown values
// are `NaN`.

interface PageData extends Contents.Head, Contents.Tables {
  charts: Chart[];
  marks: Contents.Mark[];
  /** The snapshots in the order of time. */
  snapshots: Snapshot[];
  /** Calls refer to these by index. */
  paths: Contents.OperationPath[];
  threads: Thread[];
  lanes: Lane[];
  calls: Calls;
  nodes: Nodes;
  /** Returns the tree of a snapshot, the same object each time. Returns `null` if the page has
   * none. */
  tree(snapshot: number): Tree | null;
}

/** Curves with a common axis of amounts. */
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
  /** The indices of the thread's lanes, with the topmost first. */
  lanes: number[];
}

interface Lane extends Contents.Lane {
  /** The lane's calls are `first..first + count`. */
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
  /** -1 for the first node, which is the program. */
  parent: Int32Array;
  name: string[] | { [index: number]: string };
  /** The `Contents.NodeKind` of each node. */
  kind: Uint8Array;
  /** Returns the device of a node, or "" for the host. */
  device(node: number): string;
}

interface Tree {
  /** The tree's nodes in rising order. They include parents. */
  nodes: Uint32Array;
  /** Bytes at and below each node, in the same order. */
  bytes: Float64Array;
  /** Allocations at and below each node; `NaN` if unknown. */
  allocations: Float64Array;
  total: number;
  verdict: string;
}

/** The argument of `Table.build`; table.js describes it. */
interface TableParts {
  label: string;
  columns: any[];
  sort?: { key: string; down: boolean };
  order?: (...of: any[]) => any;
  open?: (...of: any[]) => any;
  foot?: (...of: any[]) => any;
  pick?: (...of: any[]) => any;
  mark?: (...of: any[]) => any;
  matches?: (...of: any[]) => any;
  none?: string;
}

/** Functions of browsers that the checker's library lacks, and data for tests of the page. */
interface Window {
  trustedTypes?: { createPolicy(name: string, rules: object): { createScript(text: string): any } };
  __memprof: object;
}
interface Uint8ArrayConstructor {
  fromBase64?(letters: string): Uint8Array<ArrayBuffer>;
}
