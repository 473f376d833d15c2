// Sessions without operations, with one snapshot, or with a clock that was set back have notes on
// this in the page.

import { statSync } from "node:fs";
import { check, open, quiet, settled } from "./page.mjs";

const PANES = ["operations", "tree", "difference", "places", "balance"];

const checkOf = (name, expected) => async ({ browser, page, record }) => {
  const opened = await open(browser, page(name));
  for (const pane of PANES) {
    await opened.page.evaluate((pane) => window.__memprof.set({ pane }), pane);
    await settled(opened.page);
  }
  for (const key of ["w", "d", "[", "]", ",", ".", "f", "r", "Escape"]) { await opened.page.keyboard.press(key); await settled(opened.page); }
  const text = await opened.page.evaluate(() => document.body.innerText);
  check(!/\bNaN\b|\bundefined\b|\bInfinity\b|\[object/.test(text), `no figure is broken: ${text.match(/.{0,40}(NaN|undefined|Infinity|\[object).{0,40}/)?.[0]}`);
  for (const word of expected) check(text.toLowerCase().includes(word), `the page says "${word}"`);
  quiet(opened.wrong);
  if (name === "empty") {
    const bytes = statSync(page(name)).size;
    check(bytes < 100_000, `an empty page is below 100 KB, found ${bytes}`);
    record(`empty page: ${bytes} bytes`);
  }
  await opened.close();
};

export const checks = {
  "a session with nothing in it is an empty page": checkOf("empty", ["no "]),
  "a session without operations": checkOf("no_operations", ["no operations"]),
  "a session of one snapshot": checkOf("one_snapshot", []),
  "a session without counts": checkOf("unknown", ["unknown"]),
  "a clock that went back": checkOf("clock_jumps", []),
  "more freed than allocated": checkOf("negative", []),
  "a program that was killed": checkOf("killed", ["killed"]),
  "a profile without a session": checkOf("profile", []),
};
