/** Tests of the figures in the answer at the top of the page. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { explained, growing, verdict } from "../src/answer";
import * as Peak from "../src/peak";

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
  bytesPerSecondInterval: [900, 1100],
  doubt: null,
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
  const old = " Call sites and leaks are as of 3 s: later ones are unknown.";
  assert.equal(verdict({ ...known, summaryAge: "as of 3 s" }), lines + old);
  const unknown = { ...known, leakVerdict: [], leaksUnknown: "too few observations" };
  assert.equal(verdict(unknown), "Growing call sites are unknown: too few observations.");
  assert.equal(verdict({ ...unknown, began: null }), null);
});

test("call sites with the same text are different call sites", () => {
  const sites = growing([leak("unknown", 10), leak("b.rs:2", 25), leak("unknown", 20)]);
  assert.deepEqual(sites, [
    { place: "b.rs:2", bytesPerSecond: 25, row: 1 },
    { place: "unknown", bytesPerSecond: 20, row: 2 },
    { place: "unknown", bytesPerSecond: 10, row: 0 },
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
  assert.deepEqual(Peak.figures(peak), { bytes: 110, part: 0.75 });
  assert.deepEqual(Peak.figures({ ...peak, live: 60, highest: null }), { bytes: 60, part: 1 });
  assert.equal(Peak.figures({ ...peak, sites: [] }), null);
});

test("the mark and the title of the peak have the bytes of the peak and of its stacks", () => {
  const plain = (text: string | null) => text?.replaceAll("\u00a0", " ");
  const peak = { at: 12_300_000_000, live: 96 * 2 ** 20, highest: 97 * 2 ** 20 };
  assert.deepEqual(Peak.marks(peak).map(plain), ["peak 97.0 MiB, stacks at 96.0 MiB", "stacks at 96.0 MiB"]);
  assert.equal(plain(Peak.title(peak)), "At the peak of 97.0 MiB: stacks at 12.3 s, when 96.0 MiB were live");
  assert.equal(plain(Peak.part(peak)), "These stacks have 99.0 % of the highest live bytes.");
  for (const highest of [null, peak.live + 1]) {
    assert.deepEqual(Peak.marks({ ...peak, highest }).map(plain), ["peak 96.0 MiB"]);
    assert.equal(plain(Peak.title({ ...peak, highest })), "At the peak: 96.0 MiB at 12.3 s");
    assert.equal(Peak.part({ ...peak, highest }), null);
  }
});
