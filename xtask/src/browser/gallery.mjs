// `node gallery.mjs FOLDER CHROMIUM PAGE PICTURES` writes a picture of each view of a page, for the
// docs.

import { join } from "node:path";
import { launch, open, quiet, settled } from "./page.mjs";

const [folder, chromium, file, pictures] = process.argv.slice(2);
const browser = await launch(folder, chromium);

/** The views, each with its width and the part of the page in the picture. */
const VIEWS = [
  { name: "time", part: "#time" },
  { name: "operations", pane: "operations", part: "#panes" },
  { name: "tree", pane: "tree", part: "#panes" },
  { name: "difference", pane: "difference", part: "#panes" },
  { name: "places", pane: "places", part: "#panes" },
  { name: "balance", pane: "balance", part: "#panes" },
  { name: "dark", pane: "tree", scheme: "dark" },
  { name: "narrow", pane: "operations", width: 360, height: 760 },
];

for (const { name, pane, part, width = 1200, height = 900, scheme = "light" } of VIEWS) {
  const opened = await open(browser, file, { width, height, scheme });
  await opened.page.evaluate((pane) => {
    const { report, set } = window.__memprof;
    const trees = report.snapshots.map((one, at) => (one.hasTree ? at : -1)).filter((at) => at >= 0);
    set({ ...(pane ? { pane } : {}), shown: trees.at(-1), before: trees.find((at) => report.snapshots[at].name) ?? trees[0] });
  }, pane);
  await settled(opened.page);
  await settled(opened.page);
  const path = join(pictures, `${name}.png`);
  if (part) {
    const box = await opened.page.locator(part).boundingBox();
    const edge = 12;
    await opened.page.screenshot({ path, fullPage: true, clip: { x: box.x - edge, y: box.y - edge, width: box.width + 2 * edge, height: Math.min(box.height + 2 * edge, 960) } });
  } else {
    await opened.page.screenshot({ path });
  }
  quiet(opened.wrong);
  await opened.close();
  console.log(path);
}
await browser.close();
