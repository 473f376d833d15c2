/** The trees of snapshots, ready to be shown: children, devices, and the differences between two
 * trees. A `shape` is a tree in one form: columns by position, parents before children. */

import { Bound, type Nodes, type Numbers, type PageData, type Tree } from "./page_data";
import * as Units from "./units";

/** A tree in one form. The columns are by position, and parents come before children. */
export interface Shape {
  count: number;
  parent: Int32Array;
  /** The node at each position. */
  node: Uint32Array;
  /** 1 for positions that the form does not show. */
  hidden: Uint8Array;
  bytes: Float64Array;
  /** The amounts by which positions are drawn and sorted. */
  width: Float64Array;
  total: number;
  /** The children that were needed so far, by the position of their parent, the widest first. */
  sorted: Map<number, Uint32Array>;
  /** The children of all positions: those of `at` are `first[at]..first[at + 1]` of `list`. */
  links?: { first: Uint32Array; list: Uint32Array };
  /** The hue of each position; -1 for none. */
  hues?: Int8Array;
}

/** The tree of a snapshot. */
export interface TreeShape extends Shape {
  allocations: Float64Array;
  /** The amounts right at each position. */
  own: Float64Array;
  /** The bounds of the amounts right at each position, and of those at and below it. */
  bounds: Uint8Array;
  boundsBelow: Uint8Array;
  holders: Tree["holders"];
}

/** One of two compared trees, by position in the shape of both. */
export interface Side {
  /** The position in the tree; -1 where it lacks the node. */
  at: Int32Array;
  bytes: Float64Array;
  own: Float64Array;
  bounds: Uint8Array;
  boundsBelow: Uint8Array;
}

/** Two trees in one. */
export interface DifferenceShape extends Shape {
  before: Side;
  after: Side;
}

/** The result of a search. */
export interface Search {
  /** 1 for positions that match. */
  hit: Uint8Array;
  /** 1 for positions above a match. */
  opens: Uint8Array;
  /** 1 for positions at or below a match. */
  within: Uint8Array;
  count: number;
}

const BRANCH: Contents.NodeKind.Branch = 0;
const LEAF: Contents.NodeKind.Leaf = 1;
export const UNEXPLAINED: Contents.NodeKind.Unexplained = 2;
export const OTHERS: Contents.NodeKind.Others = 3;
export const SITE: Contents.NodeKind.Site = 5;
/** The tree of a snapshot that has no tree on the page. */
export const NO_TREE: Tree = {
  nodes: new Uint32Array(0),
  bytes: new Float64Array(0),
  allocations: new Float64Array(0),
  bounds: new Uint8Array(0),
  boundsBelow: new Uint8Array(0),
  total: 0,
  verdict: "unknown",
  holders: [],
};

let nodes: Nodes;
// The positions of nodes in the current tree. Parents come first, so values from an earlier tree
// are never read.
let places = new Int32Array(0);
let devices: { names: string[]; of: Uint16Array } | null = null;
// The most recently used shapes. The shapes of all snapshots would take too much memory.
const cache: { tree: Tree; form: string; shape: TreeShape }[] = [];
const MAX_CACHED = 8;

export const use = (data: PageData) => {
  nodes = data.nodes;
  places = new Int32Array(nodes.count);
  devices = null;
};

/** Returns each node's device as a number, and the devices' names. They are computed at the
 * first use. */
const allDevices = () => {
  if (devices) return devices;
  const names = [""];
  const numbers = new Map([["", 0]]);
  const of = new Uint16Array(nodes.count);
  for (let node = 0; node < nodes.count; node += 1) {
    const name = nodes.device(node);
    const number = numbers.get(name) ?? names.length;
    if (number === names.length) {
      numbers.set(name, number);
      names.push(name);
    }
    of[node] = number;
  }
  devices = { names, of };
  return devices;
};

const parents = (list: Uint32Array) => {
  const parent = new Int32Array(list.length);
  for (let at = 0; at < list.length; at += 1) {
    const above = nodes.parent[list[at]];
    parent[at] = at > 0 && above >= 0 ? Math.min(places[above], at - 1) : at > 0 ? 0 : -1;
    places[list[at]] = at;
  }
  return parent;
};

/** Returns the amounts right at each node, without the amounts below it. */
const owned = (totals: Numbers, parent: Int32Array) => {
  const own = Float64Array.from(totals);
  for (let at = 1; at < own.length; at += 1) own[parent[at]] -= totals[at];
  return own;
};

const summed = (own: Float64Array, parent: Int32Array) => {
  const totals = Float64Array.from(own);
  for (let at = own.length - 1; at > 0; at -= 1) totals[parent[at]] += totals[at];
  return totals;
};

/** The parts of a tree that are shown. */
interface Form {
  /** Whether the kinds of bytes are shown: `[data]`, `[spare]`. */
  details: boolean;
  /** The only device that is shown; `null` for all. */
  device: string | null;
  /** Whether call sites are shown. They are estimates, so a comparison leaves them out. */
  sites: boolean;
}

/** The names of nodes that the plain form hides. Nodes with the first name are always hidden, and
 * their children become children of their parent. Others are hidden only if nothing below them is
 * shown. */
const SPLICED = "[shared]";
const BRACKETED = [SPLICED, "[keys]"];

/** Hides the nodes that a form does not show. Amounts right at a hidden node move to its
 * parent. */
const fold = (shape: TreeShape, { details, device, sites }: Form) => {
  const { count, node, parent, own, bytes, hidden } = shape;
  const keeps = new Uint8Array(count);
  for (let at = count - 1; at > 0; at -= 1) {
    const label = nodes.name[node[at]];
    const plain =
      (!details && (nodes.kind[node[at]] === LEAF || (label[0] === "[" && BRACKETED.includes(label)))) ||
      (!sites && nodes.kind[node[at]] === SITE);
    const isHidden = keeps[at] ? plain && label === SPLICED : plain || (device !== null && !(bytes[at] > 0));
    hidden[at] = Number(isHidden);
    if (!hidden[at] || keeps[at]) keeps[parent[at]] = 1;
    if (!hidden[at]) continue;
    own[parent[at]] += own[at];
    own[at] = 0;
  }
  liftChildren(shape);
};

/** Makes the children of each hidden node children of its parent. */
const liftChildren = ({ count, parent, hidden }: Pick<Shape, "count" | "parent" | "hidden">) => {
  for (let at = 1; at < count; at += 1) if (hidden[parent[at]]) parent[at] = parent[parent[at]];
};

/** Returns a tree in a form. The default is the plain form for all devices. */
export const of = (tree: Tree, { details = false, device = null, sites = false }: Partial<Form> = {}): TreeShape => {
  const form = `${details} ${device} ${sites}`;
  const cached = cache.find((one) => one.tree === tree && one.form === form);
  if (cached) return cached.shape;
  const parent = parents(tree.nodes);
  const count = tree.nodes.length;
  const shape: TreeShape = {
    count,
    parent,
    node: tree.nodes,
    hidden: new Uint8Array(count),
    sorted: new Map(),
    bytes: tree.bytes,
    width: tree.bytes,
    total: 0,
    allocations: tree.allocations,
    own: owned(tree.bytes, parent),
    bounds: tree.bounds,
    boundsBelow: tree.boundsBelow,
    holders: tree.holders,
  };
  if (device !== null) {
    const { names, of: deviceOf } = allDevices();
    const target = names.indexOf(device);
    for (let at = 0; at < count; at += 1) {
      if (deviceOf[tree.nodes[at]] !== target) shape.own[at] = 0;
    }
    shape.bytes = summed(shape.own, parent);
    // Allocations are not known by device.
    shape.allocations = new Float64Array(count).fill(NaN);
  }
  fold(shape, { details, device, sites });
  shape.total = count > 0 ? shape.bytes[0] : 0;
  shape.width = shape.bytes;
  if (cache.push({ tree, form, shape }) > MAX_CACHED) cache.shift();
  return shape;
};

/** Returns one side of a shape of two trees. Bytes below a node that the tree missed are unknown. */
const side = (tree: TreeShape, at: Int32Array, parent: Int32Array): Side => {
  const count = parent.length;
  const [bytes, own] = [new Float64Array(count), new Float64Array(count)];
  const [bounds, boundsBelow] = [new Uint8Array(count), new Uint8Array(count)];
  for (let position = 0; position < count; position += 1) {
    const inTree = at[position];
    if (inTree < 0) {
      if (bounds[parent[position]] & Bound.MISSED)
        bounds[position] = boundsBelow[position] = Bound.LEAST | Bound.MISSED;
      continue;
    }
    bytes[position] = tree.bytes[inTree];
    own[position] = tree.own[inTree];
    bounds[position] = tree.bounds[inTree];
    boundsBelow[position] = tree.boundsBelow[inTree];
  }
  return { at, bytes, own, bounds, boundsBelow };
};

/** Merges two trees into one shape. The own amounts of a side are those right at a node, so that the changes
 * add up. For each node, the larger of its own amounts in both trees counts. The width of a node is the
 * sum of these amounts at and below it. */
export const merge = (before: TreeShape, after: TreeShape): DifferenceShape => {
  const [one, other] = [before.node, after.node];
  const capacity = one.length + other.length;
  const node = new Uint32Array(capacity);
  const [was, is] = [new Int32Array(capacity).fill(-1), new Int32Array(capacity).fill(-1)];
  let [count, left, right] = [0, 0, 0];
  while (left < one.length || right < other.length) {
    const next = Math.min(left < one.length ? one[left] : Infinity, right < other.length ? other[right] : Infinity);
    node[count] = next;
    if (one[left] === next && left < one.length) was[count] = left++;
    if (other[right] === next && right < other.length) is[count] = right++;
    count += 1;
  }
  const list = node.subarray(0, count);
  const parent = parents(list);
  const shape: DifferenceShape = {
    count,
    parent,
    node: list,
    sorted: new Map(),
    before: side(before, was.subarray(0, count), parent),
    after: side(after, is.subarray(0, count), parent),
    bytes: new Float64Array(0),
    width: new Float64Array(0),
    total: 0,
    hidden: new Uint8Array(count),
  };
  const larger = new Float64Array(count);
  for (let at = 0; at < count; at += 1) {
    const isHidden = (was[at] < 0 || before.hidden[was[at]] === 1) && (is[at] < 0 || after.hidden[is[at]] === 1);
    shape.hidden[at] = Number(isHidden);
    larger[at] = Math.max(shape.before.own[at], shape.after.own[at], 0);
  }
  liftChildren(shape);
  shape.width = summed(larger, parent);
  shape.bytes = shape.width;
  shape.total = count > 0 ? shape.width[0] : 0;
  return shape;
};

/** Returns `true` if the sign of a change is unknown, because one of the amounts may be higher or lower. */
export const isDoubtful = (before: number, after: number, was: number, is: number) => {
  const mayBeLess = (was & Bound.MISSED) | (is & Bound.MOST);
  const mayBeMore = (is & Bound.MISSED) | (was & Bound.MOST);
  return Boolean(after > before ? mayBeLess : after < before ? mayBeMore : mayBeLess | mayBeMore);
};

/** Returns `true` if the sign of the change of the total is unknown. */
export const isTotalDoubtful = (before: Tree, after: Tree) =>
  isDoubtful(before.total, after.total, before.boundsBelow[0], after.boundsBelow[0]);

/** Returns the nodes whose own bytes changed, with the largest change first. */
export const changes = ({ count, before, after }: DifferenceShape) => {
  const changed: number[] = [];
  for (let at = 0; at < count; at += 1) if (before.own[at] !== after.own[at]) changed.push(at);
  const size = (at: number) => Math.abs(after.own[at] - before.own[at]);
  return changed.sort((one, other) => size(other) - size(one) || one - other);
};

// The children of all nodes are in one list: the children of `at` are at
// `first[at]..first[at + 1]`.
const link = (shape: Shape): { first: Uint32Array; list: Uint32Array } => {
  const { count, parent, hidden } = shape;
  const first = new Uint32Array(count + 1);
  for (let at = 1; at < count; at += 1) if (!hidden[at]) first[parent[at] + 1] += 1;
  for (let at = 0; at < count; at += 1) first[at + 1] += first[at];
  const list = new Uint32Array(first[count]);
  const next = first.slice(0, count);
  for (let at = 1; at < count; at += 1) if (!hidden[at]) list[next[parent[at]]++] = at;
  return { first, list };
};

/** Returns the positions of the children, the widest first. */
export const children = (shape: Shape, at: number) => {
  let below = shape.sorted.get(at);
  if (!below) {
    shape.links ??= link(shape);
    const { first, list } = shape.links;
    const { width } = shape;
    below = list.slice(first[at], first[at + 1]).sort((one, other) => width[other] - width[one] || one - other);
    shape.sorted.set(at, below);
  }
  return below;
};
export const childCount = (shape: Shape, at: number) => {
  shape.links ??= link(shape);
  return shape.links.first[at + 1] - shape.links.first[at];
};

export const name = (shape: Shape, at: number) => {
  const node = shape.node[at];
  const device = nodes.kind[node] === LEAF ? nodes.device(node) : "";
  return (nodes.name[node] || "(no name)") + (device && ` on ${device}`);
};
/** Returns the positions from the root to this one. */
export const above = (shape: Shape, at: number) => {
  const line: number[] = [];
  for (let up = at; up >= 0; up = shape.parent[up]) line.push(up);
  return line.reverse();
};
export const path = (shape: Shape, at: number) =>
  above(shape, at)
    .map((one) => name(shape, one))
    .join(";");

/** Returns the position of a path, or -1. */
export const find = (shape: Shape, target: string) => {
  for (let at = 0; at < shape.count; at += 1) {
    if (!shape.hidden[at] && target.endsWith(name(shape, at)) && path(shape, at) === target) return at;
  }
  return -1;
};

/** Returns the position of a node, or of its nearest ancestor, in another shape. */
export const same = (shape: Shape, node: number) => {
  for (let target = node; target >= 0; target = nodes.parent[target]) {
    let [low, high] = [0, shape.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (shape.node[middle] < target) low = middle + 1;
      else high = middle;
    }
    if (low < shape.count && shape.node[low] === target && !shape.hidden[low]) return low;
  }
  return 0;
};

/** Returns the devices on which a tree has bytes; the host is "". */
export const devicesOf = (tree: Tree) => {
  const { names, of: deviceOf } = allDevices();
  const seen = new Set<number>();
  tree.nodes.forEach((node, at) => {
    if (nodes.kind[node] !== BRANCH && tree.bytes[at] > 0) seen.add(deviceOf[node]);
  });
  return [...seen].sort().map((number) => names[number]);
};

/** Finds a text in lower case: the positions whose name contains it, the positions above them,
 * and the positions at or below them. */
export const search = (shape: Shape, text: string): Search => {
  const [hit, opens] = [new Uint8Array(shape.count), new Uint8Array(shape.count)];
  let count = 0;
  for (let at = shape.count - 1; at >= 0; at -= 1) {
    const above = shape.parent[at];
    if (!shape.hidden[at] && name(shape, at).toLowerCase().includes(text)) {
      hit[at] = 1;
      count += 1;
    }
    if (above >= 0 && (hit[at] || opens[at])) opens[above] = 1;
  }
  const within = Uint8Array.from(hit);
  for (let at = 1; at < shape.count; at += 1) if (within[shape.parent[at]]) within[at] = 1;
  return { hit, opens, within, count };
};

/** Formats the bytes at and below a position. */
export const amount = (shape: TreeShape, at: number, format = Units.bytes) =>
  Units.bounded(shape.bytes[at], shape.boundsBelow[at], format);

export const kind = (shape: Shape, at: number) => nodes.kind[shape.node[at]];
