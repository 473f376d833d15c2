/** Tests of formatted amounts. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as Units from "../src/units";

const plain = (text: string) => text.replaceAll("\u00a0", " ");

/** Amounts with their texts in each unit. `memprof-profile` has the same table. */
const cases: [number, string, string, string][] = JSON.parse(readFileSync("../../tests/data/units.json", "utf8"));

test("bytes are written as the tables of memprof write them", () => {
  assert.ok(cases.length >= 12);
  for (const [bytes, ...expected] of cases) {
    const found = (["iec", "si", "bytes"] as const).map((units) => plain(Units.bytes(bytes, units)));
    assert.deepEqual(found, expected, `${bytes} bytes`);
  }
});

test("changes have a sign, and unknown amounts are not 0", () => {
  assert.equal(plain(Units.change(1536)), "+1.5 KiB");
  assert.equal(plain(Units.change(-1536)), "−1.5 KiB");
  assert.equal(plain(Units.change(0)), "±0 B");
  for (const format of [Units.change, Units.bytes, Units.exact, Units.span]) {
    assert.equal(format(null), "unknown");
    assert.equal(format(Number.NaN), "unknown");
  }
});

test("durations are written in the unit that fits", () => {
  const spans: [number, string][] = [
    [999, "999 ns"],
    [1500, "1.5 µs"],
    [59_900_000_000, "59.9 s"],
    [60_000_000_000, "1 min"],
    [125_000_000_000, "2 min 5 s"],
    [90_000_000_000_000, "1 d 1 h"],
  ];
  for (const [ns, expected] of spans) assert.equal(plain(Units.span(ns)), expected);
});

test("a moment has all its digits", () => {
  assert.equal(plain(Units.moment(12_345_678_901)), "12.345678901 s");
});

test("an estimate has half its interval", () => {
  assert.equal(plain(Units.estimate({ value: 2048, side: 512, samples: 4 })), "2.0 KiB ± 512 B");
  assert.equal(Units.estimate(null), "unknown");
});

test("an estimate whose interval reaches below 0 has its upper end", () => {
  assert.equal(plain(Units.estimate({ value: 2048, side: 2048, samples: 1 })), "2.0 KiB ± 2.0 KiB");
  assert.equal(plain(Units.estimate({ value: 2048, side: 3072, samples: 1 })), "at most 5.0 KiB");
  const blocks = { value: 119_070, side: 303_468, samples: 2 };
  assert.equal(plain(Units.estimate(blocks, Units.grouped)), "at most 422,538");
});
