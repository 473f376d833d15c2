// The page in a sandboxed frame, as in notebooks, and without scripts.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, open } from "./page.mjs";

export const checks = {
  "the page works in a sandboxed frame": async ({ browser, folder, page }) => {
    const text = readFileSync(page("everything"), "utf8").replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    const outer = join(folder, "framed.html");
    writeFileSync(outer, `<!DOCTYPE html><title>notebook</title><iframe sandbox="allow-scripts" srcdoc="${text}" style="width:100%;height:700px;border:0"></iframe>`);
    const context = await browser.newContext({ viewport: { width: 1000, height: 750 } });
    const opened = await context.newPage();
    const wrong = [];
    opened.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
    opened.on("pageerror", (error) => wrong.push(error.message));
    await opened.goto(`file://${outer}`);
    const frame = opened.frames()[1];
    await frame.waitForFunction(() => window.__memprof?.ready > 0, null, { timeout: 20000 });
    await frame.locator("#tab-tree").click();
    await frame.waitForFunction(() => window.__memprof.state.pane === "tree");
    check(wrong.length === 0, `the frame is quiet: ${wrong.slice(0, 3)}`);
    await context.close();
  },

  "without scripts the page says what the session said": async ({ browser, page }) => {
    const opened = await open(browser, page("everything"), { script: false });
    const text = await opened.page.locator("#summary").innerText();
    for (const expected of ["importer", "live heap", "scripts are off"]) check(text.includes(expected), `the summary has "${expected}"`);
    check(await opened.page.locator("#summary").isVisible(), "it is shown");
    await opened.close();
  },
};
