/** Tests of trees: their forms, their children and their differences. */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as Nodes from "../src/nodes";
import { Bound, type PageData, type Tree } from "../src/page_data";

/** A model with data and shared rows on the host, and a cache on a device. */
const name = ["program", "model", "[data]", "[shared]", "row", "cache", "[data]"];
const parent = Int32Array.of(-1, 0, 1, 1, 3, 0, 5);
const kind = Uint8Array.of(0, 0, 1, 0, 0, 0, 1);
const nodes = { count: 7, parent, kind, name, device: (node: number) => (node >= 5 ? "cuda:0" : "") };
Nodes.use({ nodes } as PageData);

const tree = (bytes: number[], present = [0, 1, 2, 3, 4, 5, 6]): Tree => ({
  nodes: Uint32Array.from(present),
  bytes: Float64Array.from(bytes),
  allocations: new Float64Array(present.length),
  bounds: new Uint8Array(present.length),
  boundsBelow: new Uint8Array(present.length),
  total: bytes[0],
  verdict: "exact",
  holders: [],
});

const early = tree([100, 60, 40, 20, 20, 40, 40]);
const late = tree([150, 60, 40, 20, 20, 90, 90]);
const paths = (shape: Nodes.Shape) =>
  [...shape.node.keys()].filter((at) => !shape.hidden[at]).map((at) => Nodes.path(shape, at));

test("the plain form hides kinds of bytes, and lifts what is below a hidden node", () => {
  assert.deepEqual(paths(Nodes.of(early)), ["program", "program;model", "program;model;row", "program;cache"]);
});

test("the detailed form shows every node", () => {
  assert.equal(paths(Nodes.of(early, { details: true })).length, 7);
});

test("the bytes of hidden nodes move to their parent", () => {
  const shape = Nodes.of(early);
  assert.equal(shape.own[1], 40);
  assert.equal(
    shape.own.reduce((sum, bytes) => sum + bytes, 0),
    early.total,
  );
});

test("the form of a device has the bytes of that device", () => {
  const shape = Nodes.of(early, { device: "cuda:0" });
  assert.equal(shape.total, 40);
  assert.deepEqual(paths(shape), ["program", "program;cache"]);
  assert.deepEqual(Nodes.devicesOf(early), ["", "cuda:0"]);
});

test("children are sorted by width", () => {
  const shape = Nodes.of(late);
  assert.deepEqual(
    [...Nodes.children(shape, 0)].map((at) => Nodes.name(shape, at)),
    ["cache", "model"],
  );
  assert.equal(Nodes.childCount(shape, 0), 2);
});

test("the changes between two trees add up to the change of the whole", () => {
  const shape = Nodes.merge(Nodes.of(early), Nodes.of(late));
  const changed = Nodes.changes(shape);
  assert.deepEqual(
    changed.map((at) => Nodes.path(shape, at)),
    ["program;cache"],
  );
  const change = changed.reduce((sum, at) => sum + shape.after.own[at] - shape.before.own[at], 0);
  assert.equal(change, late.total - early.total);
});

test("a node that only one tree has is absent from the other", () => {
  const shape = Nodes.merge(Nodes.of(tree([60, 60], [0, 1])), Nodes.of(late));
  const cache = Nodes.find(shape, "program;cache");
  assert.equal(shape.before.at[cache], -1);
  assert.ok(shape.after.at[cache] >= 0);
});

test("a search finds names, what is above them and what is below them", () => {
  const shape = Nodes.of(early);
  const { hit, opens, within, count } = Nodes.search(shape, "model");
  assert.equal(count, 1);
  assert.deepEqual([hit[1], opens[0], within[4], within[5]], [1, 1, 1, 0]);
});

test("the change of bytes that are a bound is unknown if its sign is", () => {
  const { MISSED, MOST, LEAST } = Bound;
  assert.equal(Nodes.isDoubtful(10, 5, 0, LEAST | MISSED), true, "a lower bound fell");
  assert.equal(Nodes.isDoubtful(10, 15, 0, LEAST | MISSED), false, "a lower bound rose");
  assert.equal(Nodes.isDoubtful(10, 15, LEAST | MISSED, 0), true);
  assert.equal(Nodes.isDoubtful(10, 5, 0, LEAST), false, "no snapshot reads these contents");
  assert.equal(Nodes.isDoubtful(10, 15, 0, MOST), true, "an upper bound rose");
  assert.equal(Nodes.isDoubtful(10, 10, MISSED, 0), true);
});

test("what is below a node that one tree missed is unknown there", () => {
  const missed = {
    ...tree([40, 0, 40], [0, 1, 5]),
    bounds: Uint8Array.of(0, 3, 0),
    boundsBelow: Uint8Array.of(0, 3, 0),
  };
  const shape = Nodes.merge(Nodes.of(early), Nodes.of(missed));
  const row = Nodes.find(shape, "program;model;row");
  assert.equal(shape.after.bounds[row], Bound.LEAST | Bound.MISSED);
  assert.equal(shape.after.boundsBelow[0], 0, "the total is known");
});
