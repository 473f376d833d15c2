// Accessibility checks by axe-core: names, roles and contrast, in both themes.

import { check, open, settled } from "./page.mjs";

const PANES = ["operations", "tree", "difference", "places", "balance"];

export const checks = {
  "axe finds nothing in any pane, light and dark": async ({ browser, page, axe, record }) => {
    let rules = 0;
    for (const scheme of ["light", "dark"]) {
      for (const pane of PANES) {
        const opened = await open(browser, page("everything"), { scheme });
        await opened.page.evaluate((pane) => window.__memprof.set({ pane }), pane);
        await settled(opened.page);
        await opened.page.evaluate(axe);
        const found = await opened.page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
        rules = Math.max(rules, found.passes.length);
        const violations = found.violations.map((one) => `${one.id} (${one.nodes.length}): ${one.nodes[0].target} ${one.nodes[0].failureSummary?.split("\n")[1] ?? ""}`);
        check(violations.length === 0, `${pane}, ${scheme}: ${violations.join("; ")}`);
        await opened.close();
      }
    }
    record(`axe: ${rules} rules hold in 5 panes, light and dark`);
  },
};
