// The page at three widths in both themes: nothing is wider than the screen, and no text is smaller
// than 12 px. The pictures are for visual inspection.

import { join } from "node:path";
import { check, open, quiet, settled } from "./page.mjs";

const PANES = ["operations", "tree", "difference", "places", "balance"];

export const checks = Object.fromEntries([360, 1000, 1800].flatMap((width) => ["light", "dark"].map((scheme) => [
  `${width} px, ${scheme}: fits, and can be read`,
  async ({ browser, page, pictures }) => {
    const opened = await open(browser, page("everything"), { width, scheme, height: width === 360 ? 740 : 1000 });
    for (const pane of PANES) {
      await opened.page.evaluate((pane) => window.__memprof.set({ pane }), pane);
      await settled(opened.page);
      await settled(opened.page);
      const found = await opened.page.evaluate(() => {
        const small = [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility() && [...one.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim()) && parseFloat(getComputedStyle(one).fontSize) < 12);
        return { wide: document.documentElement.scrollWidth - document.documentElement.clientWidth, small: small.slice(0, 3).map((one) => `${one.tagName} ${one.textContent.slice(0, 30)}`) };
      });
      check(found.wide <= 0, `${pane} is ${found.wide} px wider than the screen`);
      check(found.small.length === 0, `text of ${pane} is smaller than 12 px: ${found.small}`);
      await opened.page.screenshot({ path: join(pictures, `${pane}-${width}-${scheme}.png`), fullPage: true });
    }
    quiet(opened.wrong);
    await opened.close();
  },
])));
