/**
 * The head of the page begins with the answer, and each of its parts links to its section. Leaks
 * come first when there are any. Lanes, gaps and markers are explained.
 */

import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, PICTURES, plain, recording, set, settled, test, THEMES } from "./page";
import { printed } from "./pages";

const answer = async (page: Page) => plain(await page.locator("#answer").innerText());

const SCREENS = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

for (const viewport of SCREENS) {
  for (const colorScheme of THEMES) {
    test.describe(`${viewport.width} px, ${colorScheme}`, () => {
      test.use({ viewport, colorScheme });

      test("the answer is on the first screen", async ({ page, open }) => {
        await open("everything");
        await expect(page.locator("#answer")).toBeInViewport({ ratio: 1 });
        await page.screenshot({ path: join(PICTURES, `head-${viewport.width}-${colorScheme}.png`) });
      });
    });
  }
}

test("the answer has the file's growth and growing call sites", async ({ page, open }) => {
  await open("everything");
  const { summary } = recording("everything");
  const expected = await page.evaluate(() => {
    const { data, units } = window.__memprof;
    const trees = data.snapshots.flatMap(({ hasTree }, index) => (hasTree ? [index] : []));
    const [first, last] = [trees[0], trees[trees.length - 1]];
    const bytes = (data.tree(last)?.total ?? NaN) - (data.tree(first)?.total ?? NaN);
    return `${units.change(bytes)} in ${units.span(data.snapshots[last].at - data.snapshots[first].at)}. `;
  });
  const text = await answer(page);
  expect(text.slice(0, expected.length)).toBe(plain(expected));
  expect(text).toContain(`${summary.leaks.length} call site keeps growing: ${summary.leaks[0].place.function}`);
  expect(text).toMatch(/Roots explain [\d.]+ % of the live heap/);
  await page.selectOption("#units", "bytes");
  await settled(page);
  expect(await answer(page), "the answer follows the units").toContain(" B in ");
  await page.locator("#answer button").first().click();
  await settled(page);
  const difference = plain(await page.locator("#pane-difference .verdict b").first().textContent());
  expect(await answer(page), "the difference has the number of the answer").toContain(`${difference} in `);
});

test("the verdict, doubtful and replaced call sites are those of memprof leaks", async ({ page, open }) => {
  await open("everything");
  await set(page, { pane: "places" });
  const leaks = printed("leaks", "everything");
  const pane = page.locator("#pane-places");
  const [verdict, evidence] = leaks.split("\n").filter((line) => /keeps growing|observations/.test(line));
  const sentences = [verdict, evidence].map((line) => `${line[0].toUpperCase()}${line.slice(1)}.`).join(" ");
  expect(plain(await pane.locator("p").first().innerText())).toBe(sentences);
  const rows = (await pane.locator("section").first().locator("tbody tr").allInnerTexts()).map(plain);
  for (const doubt of ["not steady", "9 samples"]) {
    expect(rows.filter((row) => row.includes(doubt))).not.toEqual([]);
    expect(leaks).toContain(`, ${doubt}: `);
  }
  expect(rows.filter((row) => row.includes("importer::pool"))).toHaveLength(1);
});

test("each link of the answer leads to its place", async ({ page, open }) => {
  await open("everything");
  const links = page.locator("#answer button");
  const count = await links.count();
  expect(count, "links").toBeGreaterThanOrEqual(3);
  const panes = new Set<string>();
  for (let at = 0; at < count; at++) {
    await links.nth(at).click();
    await settled(page);
    await settled(page);
    const { pane, isFocused } = await page.evaluate(() => ({
      pane: window.__memprof.state.pane,
      isFocused: document.activeElement?.closest("#panes") !== null,
    }));
    panes.add(pane);
    expect(isFocused, `link ${at} moves the focus to the tables`).toBe(true);
    await expect(page.locator(pane === "places" ? "#site-0 th" : `#tab-${pane}`)).toBeInViewport({ ratio: 0.9 });
    if (pane === "places") await expect(page.locator("#site-0 + tr.inside"), "the call stack").toBeVisible();
  }
  expect([...panes].sort()).toEqual(["difference", "operations", "places", "tree"]);
});

for (const [name, title] of [
  ["everything", "Call sites"],
  ["no_operations", "Operations"],
]) {
  test(`the first table of ${name} is ${title}`, async ({ page, open }) => {
    await open(name);
    await expect(page.locator("#tabs [role=tab]").first()).toHaveText(title);
  });
}

test("a recording without operations has no button beside their title", async ({ page, open }) => {
  await open("no_operations");
  await expect(page.locator(".lanes-title")).toHaveText("Operations ");
  await expect(page.locator(".lanes-title button")).toHaveCount(0);
});

for (const name of ["empty", "unknown", "killed", "one_snapshot", "profile"]) {
  test(`the page of ${name} claims no growing call sites`, async ({ page, open }) => {
    await open(name);
    const text = plain(await page.locator("#answer").textContent());
    expect(text).not.toMatch(/keeps? growing/);
    if (name !== "profile") expect(text).toContain("Growing call sites are unknown");
  });
}

test("many concurrent calls have few lanes, and all on request", async ({ page, open }) => {
  await open("concurrent");
  const title = page.locator(".lanes-title");
  const lanes = plain(await title.textContent());
  expect(lanes).toMatch(/\b(\d|1[0-2]) of [\d\s]+ lanes/);
  expect(lanes).toContain("lanes for each operation");
  await title.locator("button").click();
  await settled(page);
  const height = await page.locator(".lanes-all").evaluate((all: HTMLElement) => all.offsetHeight);
  expect(height, "all lanes can be scrolled").toBeGreaterThan(100 * 20);
  await title.locator("button").click();
  await settled(page);
  // A call in a hidden lane brings all lanes back.
  const call = await page.evaluate(() => window.__memprof.data.calls.count - 1);
  await set(page, { call });
  const box = await page.evaluate((call) => window.__memprof.time.debug.callRect(call), call);
  expect(box, "a chosen call has a visible lane").toBeTruthy();
});

test("gaps, markers and controls explain themselves", async ({ page, open }) => {
  await open("everything");
  for (const sign of ["snapshot with a tree", "compared with", "shown", "peak", "checkpoint"]) {
    await expect(page.locator("#signs")).toContainText(sign);
  }
  const gaps = await page.locator(".gaps").allInnerTexts();
  expect(gaps.filter((text) => text.startsWith("Gaps: not measured (root locked"))).not.toEqual([]);
  const bare = await page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>("#controls select, .time-bar button");
    return [...controls].filter((one) => !(one.title || one.closest("label")?.title)).map((one) => one.textContent);
  });
  expect(bare, "controls without an explanation").toEqual([]);
});

for (const viewport of SCREENS) {
  test.describe(`${viewport.width} px`, () => {
    test.use({ viewport });

    test("memory outside of the heap that grows is named first, with a chart and a bar", async ({ page, open }) => {
      await open("resident");
      const [finding, evidence] = printed("info", "resident")
        .split("\n")
        .filter((line) => /outside of the Rust heap|^ {2}resident /.test(line))
        .map((line) => line.trim());
      expect(finding).toBe("outside of the Rust heap, C libraries grow by 3.0 MiB/s");
      const capital = (text: string) => `${text[0].toUpperCase()}${text.slice(1)}.`;
      expect(await answer(page)).toContain(`${capital(finding)} ${capital(evidence)}`);
      await expect(page.getByText("resident memory by part")).toBeVisible();
      await page.screenshot({ path: join(PICTURES, `resident-${viewport.width}.png`), fullPage: true });
      await set(page, { pane: "tree" });
      await settled(page);
      const steps = plain(await page.locator(".balance .steps").innerText());
      expect(steps).toContain("C libraries 182.0 MiB");
      expect(steps).toContain("/srv/app/bin/app 9.0 MiB");
      await page.locator(".balance").screenshot({ path: join(PICTURES, `resident-bar-${viewport.width}.png`) });
    });
  });
}
