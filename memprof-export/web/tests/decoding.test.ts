/** Tests of the decoder of a page's contents. */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as Data from "../src/data";

/** Encodes a number, by the description in `columns.rs`; `null` is unknown. */
const encoded = (number: number | null): number[] => {
  const sign = number === null || number < 0 ? 1 : 0;
  let rest = BigInt(Math.abs(number ?? 0));
  const bytes = [Number(rest & 63n) * 2 + sign];
  for (rest >>= 6n; rest > 0n; rest >>= 7n) {
    bytes[bytes.length - 1] |= 128;
    bytes.push(Number(rest & 127n));
  }
  return bytes;
};

const column = (numbers: (number | null)[], areChanges = false) => {
  const bytes = numbers.flatMap(encoded);
  return [...encoded(bytes.length), ...encoded(numbers.length * 2 + Number(areChanges)), ...bytes];
};

const stream = (columns: number[][], document: object) => {
  const text = new TextEncoder().encode(JSON.stringify(document));
  return Uint8Array.from([...columns.flat(), ...encoded(text.length), ...encoded(0), ...text]);
};

test("numbers of every size are read exactly, and unknown ones are not 0", () => {
  const numbers = [
    0,
    1,
    -1,
    63,
    64,
    -64,
    8191,
    8192,
    2 ** 20,
    2 ** 31,
    2 ** 32 + 5,
    -(2 ** 45) - 3,
    2 ** 52,
    2 ** 53 - 1,
    null,
  ];
  const opened = Data.opened(stream([column(numbers)], { is: "read" }));
  assert.deepEqual(
    [...opened.column(0)],
    numbers.map((number) => number ?? Number.NaN),
  );
  assert.deepEqual(opened.document, { is: "read" });
});

test("changes are added up, past unknown numbers", () => {
  const opened = Data.opened(stream([column([7]), column([10, 5, null, -20, 0], true)], {}));
  assert.deepEqual([...opened.column(1)], [10, 15, Number.NaN, -5, -5]);
  assert.deepEqual([...opened.column(0)], [7]);
});

test("a stream without a document is an error", () => {
  assert.throws(() => Data.opened(new Uint8Array(0)), /no contents/);
});

const columns = [
  [0, 1, 2, 1],
  [0, 0, 1, 0],
  [0, 1, 2, 3],
  [0, 0, 1, 0],
].map((numbers) => Float64Array.from(numbers));
const carried = {
  parent: 0,
  kind: 1,
  name: 2,
  device: 3,
  names: ["program", "rows", "[data]", "cache"],
  devices: ["cpu", "cuda:0"],
};

test("nodes have the parents, names and devices of the file", () => {
  const nodes = Data.readNodes(carried, (index) => columns[index]);
  assert.deepEqual([...nodes.parent], [-1, 0, 0, 2]);
  assert.deepEqual(nodes.name, ["program", "rows", "[data]", "cache"]);
  assert.deepEqual([nodes.device(0), nodes.device(2)], ["", "cuda:0"]);
});

test("the bytes of a branch are the sum of those below it, and uncounted allocations are unknown", () => {
  const nodes = Data.readNodes(
    { ...carried, parent: 4, kind: 5 },
    (index) => [...columns, Float64Array.of(0, 1, 1, 3), Float64Array.of(0, 0, 1, 0)][index],
  );
  const tree = {
    leaves: 0,
    bytes: 1,
    branches: 2,
    allocations: 3,
    uncounted: [3],
    unread: [],
    missed: [],
    unexplainedAtMost: false,
    verdict: "exact",
    holders: [],
  };
  const lists = [Float64Array.of(2, 3), Float64Array.of(30, 12), Float64Array.of(1), Float64Array.of(4)];
  const grown = Data.grown(tree, nodes, (index) => lists[index]);
  assert.deepEqual([...grown.nodes], [0, 1, 2, 3]);
  assert.deepEqual([...grown.bytes], [42, 30, 30, 12]);
  assert.deepEqual([...grown.allocations], [4, 4, Number.NaN, Number.NaN]);
  assert.equal(grown.total, 42);
});

test("bytes above unread contents are a lower bound, but not the total unless it is listed", () => {
  const nodes = Data.readNodes(carried, (index) => columns[index]);
  const tree = {
    leaves: 0,
    bytes: 1,
    branches: 2,
    allocations: 3,
    uncounted: [],
    unread: [1, 2],
    missed: [2],
    unexplainedAtMost: false,
    verdict: "not exact: 1 locked",
    holders: [],
  };
  const lists = [Float64Array.of(3), Float64Array.of(12), Float64Array.of(1, 2), Float64Array.of(4, 0)];
  const grown = (unread: number[]) => Data.grown({ ...tree, unread }, nodes, (index) => lists[index]);
  assert.deepEqual([...grown([1, 2]).boundsBelow], [0, 1, 3, 3]);
  assert.deepEqual([...grown([0, 1, 2]).boundsBelow], [3, 1, 3, 3]);
});
