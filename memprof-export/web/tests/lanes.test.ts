/** Tests of the positions of lanes. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { readLanes } from "../src/data";
import { BETWEEN, FEW, labels, layOut, ROW } from "../src/lane_rows";

const named = (...names: (string | null)[]) =>
  names.map((name, at) => ({ number: at + 1, name, whole: `${name} (thread ${at + 1})` }));

const { threads, lanes } = readLanes(
  [
    { thread: 1, operation: null, count: 5 },
    { thread: 1, operation: null, count: 2 },
    { thread: 2, operation: null, count: 1 },
  ],
  named("main", null),
);

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
    { number: 1, name: "main", whole: "main (thread 1)", lanes: [0, 1] },
    { number: 2, name: null, whole: "null (thread 2)", lanes: [2] },
  ]);
});

test("lanes are below each other, with a space between threads", () => {
  const all = layOut(threads, lanes, "few");
  const tops = all.rows.map(({ top }) => top - all.rows[0].top);
  assert.deepEqual(tops, [0, ROW, 2 * ROW + BETWEEN]);
  assert.deepEqual(
    all.threads.map(({ top, bottom }) => (bottom - top) / ROW),
    [2, 1],
  );
  assert.ok(all.total >= 3 * ROW + BETWEEN);
});

/** Two threads: one with 30 packed lanes, one with 1,000 lanes of three operations. */
const many = readLanes(
  [
    ...Array.from({ length: 30 }, () => ({ thread: 1, operation: null, count: 1 })),
    ...Array.from({ length: 1000 }, (_, at) => ({ thread: 2, operation: Math.floor(at / 400), count: 1 })),
  ],
  named("main", "worker"),
);

test("few lanes are shown at first, and each operation of concurrent calls has one", () => {
  const few = layOut(many.threads, many.lanes, "few");
  assert.equal(few.rows.length, FEW);
  assert.equal(few.hidden, 1030 - FEW);
  const operations = few.rows.filter(({ lane }) => lane.thread === 2).map(({ lane }) => lane.operation);
  assert.deepEqual(operations, [0, 1, 2]);
});

test("all lanes are shown on request", () => {
  const all = layOut(many.threads, many.lanes, "all");
  assert.deepEqual([all.rows.length, all.hidden], [1030, 0]);
});

test("a single lane is never hidden", () => {
  const one = { thread: 1, operation: null, count: 1 };
  const rows = readLanes(
    Array.from({ length: FEW + 1 }, () => one),
    named("main"),
  );
  assert.equal(layOut(rows.threads, rows.lanes, "few").hidden, 0);
});

test("a thread has its name, and its number if that is needed to tell threads apart", () => {
  const { threads } = readLanes([], named("main", "pool", null, "pool"));
  assert.deepEqual(
    labels(threads).map(({ name, number }) => name + number),
    ["main", "pool 2", "thread 3", "pool 4"],
  );
});
