/** The page in a sandboxed frame, as in notebooks, and without scripts. */

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { expect, fileOf, test } from "./page";

test.describe("in a notebook", () => {
  test.use({ viewport: { width: 1000, height: 750 } });

  test("the page works in a sandboxed frame", async ({ page }, info) => {
    const text = readFileSync(fileOf("everything"), "utf8").replaceAll("&", "&amp;").replaceAll('"', "&quot;");
    const outer = info.outputPath("framed.html");
    writeFileSync(
      outer,
      `<!DOCTYPE html><title>notebook</title><iframe sandbox="allow-scripts" srcdoc="${text}" style="width:100%;height:700px;border:0"></iframe>`,
    );
    const wrong: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") wrong.push(message.text());
    });
    page.on("pageerror", (error) => wrong.push(error.message));
    await page.goto(pathToFileURL(outer).href);
    const frame = page.frames()[1];
    await frame.waitForFunction(() => window.__memprof?.ready > 0);
    await frame.locator("#tab-tree").click();
    await frame.waitForFunction(() => window.__memprof.state.pane === "tree");
    expect(wrong).toEqual([]);
  });
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the page has a summary of the session", async ({ page }) => {
    await page.goto(pathToFileURL(fileOf("everything")).href);
    const summary = page.locator("#summary");
    await expect(summary).toBeVisible();
    for (const expected of ["importer", "live heap", "scripts are off"]) await expect(summary).toContainText(expected);
  });
});
