/** Accessibility by axe-core: names, roles and contrast, in both themes. */

import { readFileSync } from "node:fs";
import type axe from "axe-core";
import { expect, set, test, THEMES, VIEWS } from "./page";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

const source = readFileSync("node_modules/axe-core/axe.min.js", "utf8");

for (const colorScheme of THEMES) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    for (const [name, pane] of VIEWS) {
      test(`axe finds nothing in the pane ${pane} of ${name}`, async ({ page, open }) => {
        await open(name);
        await set(page, { pane });
        await page.evaluate(source);
        const { passes, violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
        expect(violations.map((one) => [one.id, one.nodes.map((node) => [node.html, node.failureSummary])])).toEqual(
          [],
        );
        expect(passes.length, "rules that hold").toBeGreaterThan(20);
      });
    }
  });
}
