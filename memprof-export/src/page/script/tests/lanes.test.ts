/** Tests of the positions of lanes. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { readLanes } from "../data";
import { BETWEEN, layOut, ROW } from "../lane_rows";

const { threads, lanes } = readLanes([
  { thread: 1, count: 5 },
  { thread: 1, count: 2 },
  { thread: 7, count: 1 },
]);

test("a lane's calls follow those of the lane before", () => {
  assert.deepEqual(
    lanes.map(({ first, count }) => [first, count]),
    [
      [0, 5],
      [5, 2],
      [7, 1],
    ],
  );
  assert.deepEqual(threads, [
    { thread: 1, lanes: [0, 1] },
    { thread: 7, lanes: [2] },
  ]);
});

test("lanes are below each other, with a space between threads", () => {
  const all = layOut(threads, lanes);
  const tops = all.rows.map(({ top }) => top - all.rows[0].top);
  assert.deepEqual(tops, [0, ROW, 2 * ROW + BETWEEN]);
  assert.deepEqual(
    all.threads.map(({ top, bottom }) => (bottom - top) / ROW),
    [2, 1],
  );
  assert.ok(all.total >= 3 * ROW + BETWEEN);
});
