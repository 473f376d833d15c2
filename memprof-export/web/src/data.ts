/** Reads the contents of the page (`contents.d.ts`): its head, and a compressed stream of
 * columns and a document. `columns.rs` describes the format of the stream, and `page_data.ts`
 * the result. */

import {
  Bound,
  type Calls,
  type Chart,
  type Lane,
  type Nodes,
  type PageData,
  type Thread,
  type Tree,
} from "./page_data";

const UNEXPLAINED: Contents.NodeKind.Unexplained = 2;

/** A column in the stream. */
export interface Place {
  begin: number;
  end: number;
  count: number;
  areChanges: boolean;
}

/** Returns the numbers of a column. */
type Reader = (column: Contents.Column) => Float64Array;

/** Returns the numbers of a column. The lowest bit of the first byte is the sign, and minus
 * zero means unknown. Differences are added up. Only local variables are used, because a
 * million calls have seven numbers each. */
export const decode = (bytes: Uint8Array, { begin, count, areChanges }: Place): Float64Array => {
  const numbers = new Float64Array(count);
  let at = begin;
  let last = 0;
  for (let index = 0; index < count; index += 1) {
    let byte = bytes[at++];
    const negative = byte & 1;
    let amount = (byte >> 1) & 63;
    if (byte > 127) {
      byte = bytes[at++];
      amount |= (byte & 127) << 6;
      if (byte > 127) {
        byte = bytes[at++];
        amount |= (byte & 127) << 13;
        // Above 31 bits, shifts would lose the upper bits.
        for (let unit = 1 << 20; byte > 127; unit *= 128) {
          byte = bytes[at++];
          amount += (byte & 127) * unit;
        }
      }
    }
    if (negative) {
      if (amount === 0) {
        numbers[index] = NaN;
        continue;
      }
      amount = -amount;
    }
    if (areChanges) {
      last += amount;
      amount = last;
    }
    numbers[index] = amount;
  }
  return numbers;
};

/** Returns the positions of the columns in the stream, in the stream's order. */
export const places = (bytes: Uint8Array): Place[] => {
  let at = 0;
  /** Reads a number of a header, which has no sign. */
  const next = () => {
    let byte = bytes[at++];
    // The lowest bit of the first byte is the sign.
    let number = (byte & 127) >> 1;
    for (let unit = 64; byte > 127; unit *= 128) {
      byte = bytes[at++];
      number += (byte & 127) * unit;
    }
    return number;
  };
  const all: Place[] = [];
  while (at < bytes.length) {
    const [length, form] = [next(), next()];
    all.push({ begin: at, end: at + length, count: Math.floor(form / 2), areChanges: form % 2 === 1 });
    at += length;
  }
  return all;
};

/** Returns the document of a stream, and a function that reads a column of numbers. */
export const opened = (bytes: Uint8Array): { document: Contents.Document; column: Reader } => {
  const all = places(bytes);
  const last = all.pop();
  if (!last) throw new Error("the page has no contents");
  return {
    document: JSON.parse(new TextDecoder().decode(bytes.subarray(last.begin, last.end))),
    column: (index) => decode(bytes, all[index]),
  };
};

const readCharts = (charts: Contents.Chart[], column: Reader): Chart[] => {
  const moments = new Map<Contents.Column, Float64Array>();
  const timesOf = (index: Contents.Column) => {
    const times = moments.get(index) ?? column(index);
    moments.set(index, times);
    return times;
  };
  return charts.map((chart) => ({
    ...chart,
    curves: chart.curves.map((curve) => ({ ...curve, times: timesOf(curve.times), values: column(curve.values) })),
  }));
};

const readCalls = (carried: Contents.Calls, column: Reader): Calls => {
  const { path, start, duration, delta, before, others, tensors } = carried;
  const calls: Calls = {
    count: 0,
    path: new Uint32Array(column(path)),
    start: column(start),
    duration: column(duration),
    delta: column(delta),
    before: column(before),
    after: column(others),
    tensors: column(tensors),
  };
  calls.count = calls.path.length;
  for (let call = 0; call < calls.count; call += 1) calls.after[call] += calls.before[call] + calls.delta[call];
  return calls;
};

export const readLanes = (rows: Contents.Lane[], named: Contents.Thread[]): { threads: Thread[]; lanes: Lane[] } => {
  const threads = new Map<number, Thread>(named.map((thread) => [thread.number, { ...thread, lanes: [] }]));
  let first = 0;
  const lanes = rows.map(({ thread, operation, count }, index) => {
    threads.get(thread)?.lanes.push(index);
    first += count;
    return { thread, operation, first: first - count, count };
  });
  return { threads: [...threads.values()], lanes };
};

export const readNodes = (carried: Contents.Nodes, column: Reader): Nodes => {
  const { names, devices } = carried;
  const parent = new Int32Array(column(carried.parent));
  const kind = new Uint8Array(column(carried.kind));
  const name = new Uint32Array(column(carried.name));
  const device = new Uint16Array(column(carried.device));
  const count = parent.length;
  for (let node = 0; node < count; node += 1) parent[node] = node - parent[node];
  // The program is a branch without a parent.
  if (count > 0) [parent[0], kind[0]] = [-1, 0];
  return {
    count,
    parent,
    kind,
    name: Array.from(name, (index) => names[index]),
    device: (node) => {
      const word = devices[device[node]];
      return word === "cpu" ? "" : word;
    },
  };
};

/** Returns the bounds of all nodes of a tree: those of their own bytes, and those of the bytes at and below
 * them. The bytes below a node that was missed are unknown too. */
const readBounds = (carried: Contents.Tree, { count, parent, kind }: Nodes) => {
  const own = new Uint8Array(count);
  for (const node of carried.unread) own[node] = Bound.LEAST;
  for (const node of carried.missed) own[node] |= Bound.MISSED;
  for (let node = 1; node < count; node += 1) {
    if (own[parent[node]] & Bound.MISSED) own[node] |= Bound.LEAST | Bound.MISSED;
    if (carried.unexplainedAtMost && kind[node] === UNEXPLAINED && parent[node] === 0) own[node] |= Bound.MOST;
  }
  const below = Uint8Array.from(own);
  for (let node = count - 1; node > 0; node -= 1) below[parent[node]] |= below[node] & ~Bound.MOST;
  // The program is in the list itself.
  if (!(own[0] & Bound.LEAST)) below[0] = 0;
  return { own, below };
};

/** Returns all nodes of a tree, given its leaves, with the bytes and allocations at and below
 * each. */
export const grown = (carried: Contents.Tree, nodes: Nodes, column: Reader): Tree => {
  const leaves = column(carried.leaves);
  const amounts = column(carried.bytes);
  const counted = column(carried.branches);
  const counts = column(carried.allocations);
  const bytes = new Float64Array(nodes.count);
  const allocations = new Float64Array(nodes.count);
  const isPresent = new Uint8Array(nodes.count);
  const unknown = new Uint8Array(nodes.count);
  leaves.forEach((node, index) => {
    isPresent[node] = 1;
    bytes[node] = amounts[index];
  });
  counted.forEach((node, index) => {
    isPresent[node] = 1;
    allocations[node] = counts[index];
  });
  // If all known counts are 0 and some are unknown, the sum is unknown.
  const partly = new Uint8Array(nodes.count);
  for (const node of carried.uncounted) {
    unknown[node] = 1;
    partly[node] = 1;
  }
  const bounds = readBounds(carried, nodes);
  let count = 0;
  for (let node = nodes.count - 1; node >= 0; node -= 1) {
    if (isPresent[node] === 0) continue;
    count += 1;
    const parent = nodes.parent[node];
    if (parent < 0) continue;
    isPresent[parent] = 1;
    bytes[parent] += bytes[node];
    allocations[parent] += allocations[node];
    partly[parent] |= partly[node];
  }
  const tree = {
    nodes: new Uint32Array(count),
    bytes: new Float64Array(count),
    allocations: new Float64Array(count),
    bounds: new Uint8Array(count),
    boundsBelow: new Uint8Array(count),
    total: bytes[0] ?? 0,
    verdict: carried.verdict,
    holders: carried.holders,
  };
  let index = 0;
  for (let node = 0; node < nodes.count; node += 1) {
    if (isPresent[node] === 0) continue;
    const parent = nodes.parent[node];
    if (parent >= 0 && unknown[parent]) unknown[node] = 1;
    const isUnknown = unknown[node] || nodes.kind[node] !== 0 || (allocations[node] === 0 && partly[node]);
    tree.nodes[index] = node;
    tree.bytes[index] = bytes[node];
    tree.allocations[index] = isUnknown ? NaN : allocations[node];
    tree.bounds[index] = bounds.own[node];
    tree.boundsBelow[index] = bounds.below[node];
    index += 1;
  }
  return tree;
};

/** Reads the contents of the page. */
export const read = async (): Promise<PageData> => {
  const head: Contents.Head = JSON.parse(document.getElementById("head")?.textContent ?? "");
  const { document: carried, column } = opened(await Packed.bytes("columns"));
  const nodes = readNodes(carried.nodes, column);
  const trees: Tree[] = [];
  const snapshots = carried.snapshots.map((snapshot) => ({ ...snapshot, hasTree: snapshot.tree !== null }));
  return {
    ...head,
    ...carried.tables,
    ...readLanes(carried.lanes, carried.threads),
    charts: readCharts(carried.charts, column),
    marks: carried.marks,
    snapshots,
    paths: carried.paths,
    calls: readCalls(carried.calls, column),
    nodes,
    hasHolders: carried.trees.some(({ holders }) => holders.length > 0),
    tree: (snapshot) => {
      const index = snapshots[snapshot]?.tree ?? null;
      if (index === null) return null;
      trees[index] ??= grown(carried.trees[index], nodes, column);
      return trees[index];
    },
  };
};
