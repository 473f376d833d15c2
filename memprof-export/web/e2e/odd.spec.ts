/**
 * Sessions without operations, with one snapshot, or with a clock that was set back have notes on
 * this in the page.
 */

import { statSync } from "node:fs";
import { expect, fileOf, PANES, press, set, test } from "./page";

const CASES = [
  { title: "a session with nothing in it", name: "empty", says: "no " },
  { title: "a session without operations", name: "no_operations", says: "no operations" },
  { title: "a session of one snapshot", name: "one_snapshot" },
  { title: "a session without counts", name: "unknown", says: "unknown" },
  { title: "a clock that went back", name: "clock_jumps" },
  { title: "more freed than allocated", name: "negative" },
  { title: "a program that was killed", name: "killed", says: "killed" },
  { title: "a profile without a session", name: "profile" },
];

for (const { title, name, says = "" } of CASES) {
  test(title, async ({ page, open }) => {
    await open(name);
    for (const pane of PANES) await set(page, { pane });
    await press(page, "w", "d", "[", "]", ",", ".", "f", "r", "Escape");
    const text = await page.evaluate(() => document.body.innerText);
    expect(text).not.toMatch(/\bNaN\b|\bundefined\b|\bInfinity\b|\[object/);
    expect(text.toLowerCase()).toContain(says);
  });
}

test("an empty page is below 100 KB", () => {
  expect(statSync(fileOf("empty")).size).toBeLessThan(100_000);
});
