/** Tests of the answer at the top of the page. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { explained, growing, verdict } from "../src/answer";

const site = (place: string, bytesPerSecond: number, doubt: string | null = null) => ({
  place,
  growth: {
    bytesPerSecond,
    interval: [900, 1100] as [number, number],
    bytesPerCall: null,
    heldBy: [],
    freedAtEnd: false,
    doubt,
  },
});

test("the verdict has the lines of the command, the reason if it is unknown, and its age", () => {
  const known = {
    began: "2026-11-21",
    leakVerdict: ["no call site keeps growing", "the process grows: 60 observations in 60.0 s"],
    leaksUnknown: null,
    summaryAge: null,
  };
  const lines = "No call site keeps growing. The process grows: 60 observations in 60.0 s.";
  assert.equal(verdict(known), lines);
  const old = " Call sites and leaks are as of 3 s: anything later is unknown.";
  assert.equal(verdict({ ...known, summaryAge: "as of 3 s" }), lines + old);
  const unknown = { ...known, leakVerdict: [], leaksUnknown: "too few observations" };
  assert.equal(verdict(unknown), "Growing call sites are unknown: too few observations.");
  assert.equal(verdict({ ...unknown, began: null }), null);
});

test("call sites with the same text are different call sites", () => {
  const sites = growing([
    site("unknown", 10),
    site("b.rs:2", 25),
    site("unknown", 20),
    site("c.rs:3", 99, "not steady"),
    { place: "d.rs:4", growth: null },
  ]);
  assert.deepEqual(sites, [
    { place: "b.rs:2", bytesPerSecond: 25, row: 1 },
    { place: "unknown", bytesPerSecond: 20, row: 2 },
    { place: "unknown", bytesPerSecond: 10, row: 0 },
  ]);
});

test("the part that roots explain is unknown without both figures", () => {
  const roots = { sign: "", what: "the roots' values", bytes: 60 };
  const rest = { sign: "+", what: "unexplained", bytes: 40 };
  assert.deepEqual(explained({ waterfall: [roots, rest] }), { roots: 60, heap: 100 });
  assert.equal(explained({ waterfall: [] }), null);
  assert.equal(explained({ waterfall: [roots] }), null);
  const heap = { ...roots, what: "live heap" };
  assert.equal(explained({ waterfall: [heap, { ...rest, what: "the profiler's own" }] }), null);
});

test("roots that share bytes own more than is live, so their part is unknown", () => {
  const waterfall = [
    { sign: "", what: "the roots' values", bytes: 60 },
    { sign: "+", what: "unexplained", bytes: -5 },
  ];
  assert.equal(explained({ waterfall }), null);
});
