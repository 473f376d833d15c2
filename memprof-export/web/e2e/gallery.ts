/** Draws each view of the page in the variable `GALLERY_PAGE` into the folder in the variable `GALLERY`. */

import { join } from "node:path";
import { expect, set, settled, test, visit } from "./page";

interface Picture {
  name: string;
  pane?: string;
  /** The part of the page in the picture. */
  part: string;
}

const PICTURES: Picture[] = [
  { name: "time", part: "#time" },
  { name: "tree", pane: "tree", part: "#panes" },
];

const { GALLERY = "", GALLERY_PAGE = "" } = process.env;

for (const { name, pane, part } of PICTURES) {
  test.describe(name, () => {
    test.use({ viewport: { width: 1200, height: 900 } });

    test("is drawn", async ({ page }) => {
      const wrong = await visit(page, GALLERY_PAGE);
      const snapshots = await page.evaluate(() => window.__memprof.data.snapshots);
      const trees = snapshots.flatMap((snapshot, at) => (snapshot.hasTree ? [{ ...snapshot, at }] : []));
      const before = trees.find((tree) => tree.name) ?? trees[0];
      await set(page, { shown: trees[trees.length - 1].at, before: before.at, ...(pane ? { pane } : {}) });
      await settled(page);
      const box = await page.locator(part).boundingBox();
      const edge = 12;
      const clip = box && {
        x: box.x - edge,
        y: box.y - edge,
        width: box.width + 2 * edge,
        height: Math.min(box.height + 2 * edge, 960),
      };
      await page.screenshot({ path: join(GALLERY, `${name}.png`), ...(clip ? { clip, fullPage: true } : {}) });
      expect(wrong).toEqual([]);
    });
  });
}
