// `node check.mjs FOLDER CHROMIUM NAME…` opens the pages in FOLDER and checks their contents and
// their behaviour. It prints a line for each check, then the figures. The exit code is 1 if a check
// failed.
// `node check.mjs --names` prints the names of the checks.

import { readFileSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { launch } from "./page.mjs";
import * as access from "./access.mjs";
import * as figures from "./figures.mjs";
import * as frames from "./frames.mjs";
import * as head from "./head.mjs";
import * as hostile from "./hostile.mjs";
import * as keyboard from "./keyboard.mjs";
import * as odd from "./odd.mjs";
import * as speed from "./speed.mjs";
import * as widths from "./widths.mjs";

const groups = [figures, head, keyboard, hostile, odd, frames, access, widths, speed];
if (process.argv[2] === "--names") {
  console.log(groups.flatMap((group) => Object.keys(group.checks)).join("\n"));
  process.exit();
}
const folder = resolve(process.argv[2]);
const chromium = process.argv[3];
const names = process.argv.slice(4);
const need = createRequire(join(folder, "package.json"));
const axe = readFileSync(need.resolve("axe-core/axe.min.js"), "utf8");

const pictures = join(folder, "pictures");
mkdirSync(pictures, { recursive: true });
const browser = await launch(folder, chromium);
const lines = [];
const record = (line) => lines.push(line);
let failed = 0;

for (const group of groups) {
  for (const [name, run] of Object.entries(group.checks)) {
    if (!names.includes(name)) continue;
    const begun = performance.now();
    try {
      await run({ browser, folder, pictures, axe, record, page: (name) => join(folder, `${name}.html`), session: (name) => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) });
      console.log(`ok      ${name} (${Math.round(performance.now() - begun)} ms)`);
    } catch (error) {
      failed++;
      console.log(`FAILED  ${name}: ${error.message.split("\n").slice(0, 6).join(" | ")}`);
    }
  }
}
await browser.close();
writeFileSync(join(folder, "figures.txt"), lines.join("\n") + "\n");
console.log(lines.join("\n"));
process.exit(failed > 0 ? 1 : 0);
