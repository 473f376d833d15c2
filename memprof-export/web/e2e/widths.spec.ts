/**
 * The page at three widths in both themes: nothing is wider than the screen, and no text is smaller
 * than 12 px. The pictures are for visual inspection.
 */

import { join } from "node:path";
import { excess, expect, PICTURES, set, settled, test, THEMES, VIEWS } from "./page";

const SCREENS = [
  { width: 360, height: 740 },
  { width: 1000, height: 1000 },
  { width: 1800, height: 1000 },
];

for (const viewport of SCREENS) {
  for (const colorScheme of THEMES) {
    test.describe(`${viewport.width} px, ${colorScheme}`, () => {
      test.use({ viewport, colorScheme });

      for (const [name, pane] of VIEWS) {
        test(`the pane ${pane} of ${name} fits, and can be read`, async ({ page, open }) => {
          await open(name);
          await set(page, { pane });
          await settled(page);
          expect(await excess(page), "pixels by which the page is wider than the screen").toBeLessThanOrEqual(0);
          const small = await page.evaluate(() => {
            const isText = ({ nodeType, textContent }: Node) => nodeType === Node.TEXT_NODE && textContent?.trim();
            return [...document.querySelectorAll("body *")]
              .filter((one) => one.checkVisibility() && [...one.childNodes].some(isText))
              .filter((one) => parseFloat(getComputedStyle(one).fontSize) < 12)
              .map((one) => `${one.tagName} ${one.textContent.slice(0, 30)}`);
          });
          expect(small, "text below 12 px").toEqual([]);
          const path = join(PICTURES, `${name}-${pane}-${viewport.width}-${colorScheme}.png`);
          await page.screenshot({ path, fullPage: true });
        });
      }
    });
  }
}
