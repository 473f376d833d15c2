/** Tests of the values of curves at times and in spans. */

import assert from "node:assert/strict";
import { test } from "node:test";
import * as Points from "../src/points";

/** A curve of 10,000 points, one in each 10 ns, with a peak, a valley and a gap. */
const curve = () => {
  const times = Float64Array.from({ length: 10_000 }, (_, at) => at * 10);
  const values = Float64Array.from({ length: 10_000 }, (_, at) => 100 + (at % 7));
  values[4321] = 900;
  values[8765] = -5;
  values.fill(Number.NaN, 200, 300);
  return { times, values };
};

test("a value holds until the next point, and is unknown before the first", () => {
  const { times, values } = curve();
  assert.equal(Points.valueAt({ times, values }, 25), values[2]);
  assert.equal(Points.valueAt({ times, values }, 30), values[3]);
  assert.ok(Number.isNaN(Points.valueAt({ times, values }, -1)));
  assert.ok(Number.isNaN(Points.valueAt({ times, values }, 2500)));
});

test("the span of any range is that of its points", () => {
  const { values } = curve();
  const levels = Points.pyramid({ values });
  assert.ok(levels.length > 2);
  for (const [first, last] of [
    [0, 10_000],
    [4320, 4323],
    [4322, 8765],
    [15, 17],
    [16, 4096],
    [190, 310],
  ]) {
    const known = [...values.subarray(first, last)].filter((value) => !Number.isNaN(value));
    const { low, high } = Points.spanOf(levels, first, last);
    assert.deepEqual([low, high], [Math.min(...known), Math.max(...known)], `${first}..${last}`);
  }
});

test("the span of unknown points is empty", () => {
  const { low, high } = Points.spanOf(Points.pyramid(curve()), 210, 290);
  assert.ok(!(low <= high));
});

test("the reason of a gap is the last one before the time", () => {
  const times = Float64Array.of(0, 10, 20, 30);
  const gaps: [number, string][] = [
    [1, "locked"],
    [3, "stuck"],
  ];
  const reasons = [5, 10, 25, 30].map((ns) => Points.reasonAt({ times, gaps }, ns));
  assert.deepEqual(reasons, ["", "locked", "locked", "stuck"]);
});

test("the visible points include the one whose value still holds", () => {
  assert.deepEqual(Points.visible({ times: [0, 10, 20, 30] }, 15, 20), [1, 3]);
});
