/** Tests of the sentences about unknown figures. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Curve } from "../src/report";
import { sentences } from "../src/unknown";

const curve = (name: string, values: number[], more: Partial<Curve> = {}): Curve => ({
  name,
  style: "line",
  times: Float64Array.from(values.keys()),
  values: Float64Array.from(values),
  gaps: [],
  ...more,
});

test("a chart without unknown figures has no sentence", () => {
  const late = curve("late", [Number.NaN, 1, 2]);
  assert.deepEqual(sentences({ curves: [curve("cache", [1, 2]), late], unknown: [] }), []);
});

test("a gap and a curve that is never known have their reasons", () => {
  const gap = curve("cache", [1, Number.NaN, 2], { gaps: [[1, "locked"]] });
  assert.deepEqual(sentences({ curves: [gap], unknown: [["index", "spared"]] }), [
    "A gap in “cache” is a time at which the value was unknown (locked), not 0.",
    "“index”: unknown at all times (spared).",
  ]);
});

test("a curve of lower ends is explained", () => {
  const least = curve("index, at least", [1, 2], { style: "least" });
  assert.deepEqual(sentences({ curves: [least], unknown: [["index", "partial"]] }), [
    "“index”: unknown at all times (partial).",
    "A dashed curve “at least” has the bytes of the values that were visited.",
  ]);
});
