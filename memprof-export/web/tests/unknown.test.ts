/** Tests of the sentences about unknown figures. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Curve } from "../src/page_data";
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
  const gap = curve("cache", [1, Number.NaN, 2], { gaps: [[1, "root locked"]] });
  assert.deepEqual(sentences({ curves: [gap], unknown: [["index", "root skipped"]] }), [
    "Gaps: not measured (root locked).",
    "Never measured: “index” (root skipped).",
  ]);
});

test("a curve of lower ends is explained", () => {
  const least = curve("index, at least", [1, 2], { style: "least" });
  assert.deepEqual(sentences({ curves: [least], unknown: [["index", "root only partly read"]] }), [
    "Never measured: “index” (root only partly read).",
    "Dashed curves “at least”: the bytes of the values that were visited.",
  ]);
});
