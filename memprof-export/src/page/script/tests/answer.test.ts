/** Tests of the figures in the answer at the top of the page. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { explained, growing, peakFigures, verb } from "../answer";

const none = { value: 0, side: 0, samples: 1 };
const leak = (place: string, bytesPerSecond: number): Contents.Leak => ({
  place,
  bytesPerSecond,
  operation: ["serve"],
  live: none,
  blocks: none,
  stack: [],
  bytesPerCall: null,
  heldBy: [],
  freedAtEnd: false,
  confidence: 0.999,
});

test("call sites keep growing unless all of them were freed at the end", () => {
  const freed = { ...leak("a.rs:1", 10), freedAtEnd: true };
  assert.equal(verb([freed, freed], false), "grew until they were freed at the end");
  assert.equal(verb([freed], true), "grew until it was freed at the end");
  assert.equal(verb([freed, leak("b.rs:2", 1)], false), "keep growing");
});

test("a call site that grows in two operations is one call site", () => {
  const sites = growing([leak("a.rs:1", 10), leak("b.rs:2", 25), leak("a.rs:1", 20)]);
  assert.deepEqual(sites, [
    { place: "a.rs:1", bytesPerSecond: 30, row: 0 },
    { place: "b.rs:2", bytesPerSecond: 25, row: 1 },
  ]);
});

test("the part that roots explain is unknown without both figures", () => {
  const roots = { sign: "", what: "roots", bytes: 60 };
  const rest = { sign: "+", what: "unexplained", bytes: 40 };
  assert.deepEqual(explained({ waterfall: [roots, rest] }), { roots: 60, heap: 100 });
  assert.equal(explained({ waterfall: [] }), null);
  assert.equal(explained({ waterfall: [roots] }), null);
});

test("roots that share bytes own more than is live, so their part is unknown", () => {
  const waterfall = [
    { sign: "", what: "roots", bytes: 60 },
    { sign: "+", what: "unexplained", bytes: -5 },
  ];
  assert.equal(explained({ waterfall }), null);
});

test("the part of the first call site at the peak is a part of the bytes that its stacks have", () => {
  const site = {
    place: "a.rs:1",
    operation: [],
    roots: ["cache"],
    live: { value: 75, side: 5, samples: 9 },
    blocks: none,
    stack: [],
  };
  const peak = { at: 5, live: 100, highest: 110, sites: [site], more: 0, other: none };
  assert.deepEqual(peakFigures(peak), { bytes: 110, part: 0.75 });
  assert.deepEqual(peakFigures({ ...peak, live: 60, highest: null }), { bytes: 60, part: 1 });
  assert.equal(peakFigures({ ...peak, sites: [] }), null);
});
