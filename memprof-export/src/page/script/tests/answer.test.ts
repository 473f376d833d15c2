/** Tests of the figures in the answer at the top of the page. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { explained, growing } from "../answer";

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
  confidence: 0.999,
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
  const rest = { sign: "+", what: "unattributed", bytes: 40 };
  assert.deepEqual(explained({ waterfall: [roots, rest] }), { roots: 60, heap: 100 });
  assert.equal(explained({ waterfall: [] }), null);
  assert.equal(explained({ waterfall: [roots] }), null);
});

test("roots that share bytes own more than is live, so their part is unknown", () => {
  const waterfall = [
    { sign: "", what: "roots", bytes: 60 },
    { sign: "+", what: "unattributed", bytes: -5 },
  ];
  assert.equal(explained({ waterfall }), null);
});
