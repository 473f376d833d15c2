// The head of the page begins with the answer, and each of its parts links to its section. Leaks
// come first when there are any. Lanes, gaps and markers are explained.

import { join } from "node:path";
import { check, equal, open, quiet, settled } from "./page.mjs";

const plain = (text) => text.replaceAll("\u00a0", " ");
const answer = async (page) => plain(await page.locator("#answer").innerText());
const isInView = (page, selector) => page.evaluate((selector) => {
  const box = document.querySelector(selector)?.getBoundingClientRect();
  return box !== undefined && box.height > 0 && box.top >= 0 && box.bottom <= window.innerHeight;
}, selector);

const WIDTHS = [[390, 844], [1280, 800], [1920, 1080]];

export const checks = {
  ...Object.fromEntries(WIDTHS.flatMap(([width, height]) => ["light", "dark"].map((scheme) => [
    `the answer is on the first screen, ${width} px, ${scheme}`,
    async ({ browser, page, pictures }) => {
      const opened = await open(browser, page("everything"), { width, height, scheme });
      check(await isInView(opened.page, "#answer"), "the answer is on the first screen");
      await opened.page.screenshot({ path: join(pictures, `head-${width}-${scheme}.png`) });
      quiet(opened.wrong);
      await opened.close();
    },
  ]))),

  "the answer has the file's growth and growing call sites": async ({ browser, page, session }) => {
    const opened = await open(browser, page("everything"));
    const { snapshots, summary } = session("everything");
    const [first, last] = [snapshots[0], snapshots.at(-1)];
    const expected = await opened.page.evaluate(([bytes, ns]) => `${window.__memprof.units.change(bytes)} in ${window.__memprof.units.span(ns)}. `, [last.heap.live_bytes - first.heap.live_bytes, last.at_ns - first.at_ns]);
    const text = await answer(opened.page);
    check(text.startsWith(plain(expected)), `the answer begins with ${plain(expected)}: ${text}`);
    check(text.includes(`${summary.leaks.length} call site keeps growing: ${summary.leaks[0].place.function}`), `the call site is named: ${text}`);
    check(/Roots explain [\d.]+ % of the live heap/.test(text), `the part that roots explain is there: ${text}`);
    await opened.page.selectOption("#units", "bytes");
    await settled(opened.page);
    check((await answer(opened.page)).includes(" B in "), "the answer follows the units");
    quiet(opened.wrong);
    await opened.close();
  },

  "each link of the answer leads to its place": async ({ browser, page }) => {
    const opened = await open(browser, page("everything"));
    const links = opened.page.locator("#answer button");
    const count = await links.count();
    check(count >= 3, `the answer has links: ${count}`);
    const panes = new Set();
    for (let at = 0; at < count; at++) {
      await links.nth(at).click();
      await settled(opened.page);
      await settled(opened.page);
      const { pane, focused } = await opened.page.evaluate(() => ({ pane: window.__memprof.state.pane, focused: document.activeElement?.closest("#panes") !== null }));
      panes.add(pane);
      check(focused, `link ${at} moves the focus to the tables`);
      check(await isInView(opened.page, pane === "places" ? "#leak-0 th" : `#tab-${pane}`), `link ${at} scrolls to ${pane}`);
      if (pane === "places") check(await opened.page.locator("#leak-0 + tr.inside").isVisible(), "the call stack is open");
    }
    equal([...panes].sort(), ["balance", "difference", "operations", "places"], "the panes of the links");
    quiet(opened.wrong);
    await opened.close();
  },

  "leaks come first when there are any": async ({ browser, page }) => {
    for (const [name, title] of [["everything", "Leaks and sites"], ["no_operations", "Operations"]]) {
      const opened = await open(browser, page(name));
      const first = await opened.page.locator("#tabs [role=tab]").first().innerText();
      equal(first, title, `the first table of ${name}`);
      await opened.close();
    }
  },

  "a page without growing call sites does not claim any": async ({ browser, page }) => {
    for (const name of ["empty", "unknown", "killed", "one_snapshot", "profile"]) {
      const opened = await open(browser, page(name));
      const text = plain(await opened.page.evaluate(() => document.getElementById("answer").textContent));
      check(!/keeps? growing/.test(text), `${name} has no figures on growth by call site: ${text}`);
      if (name !== "profile") check(text.includes("Growing call sites are unknown"), `${name} says so: ${text}`);
      quiet(opened.wrong);
      await opened.close();
    }
  },

  "many concurrent calls have few lanes, and all on request": async ({ browser, page }) => {
    const opened = await open(browser, page("concurrent"));
    const lanes = () => opened.page.evaluate(() => document.querySelector(".lanes-title").textContent);
    check(/\b(\d|1[0-2]) of [\d\s]+ lanes/.test(plain(await lanes())), `few lanes: ${await lanes()}`);
    check((await lanes()).includes("lanes for each operation"), "the grouping is explained");
    await opened.page.locator(".lanes-title button").click();
    await settled(opened.page);
    const high = await opened.page.locator(".lanes-all").evaluate((one) => one.offsetHeight);
    check(high > 100 * 20, `all lanes can be scrolled: ${high} px`);
    await opened.page.locator(".lanes-title button").click();
    await settled(opened.page);
    // A call in a hidden lane brings all lanes back.
    const call = await opened.page.evaluate(() => window.__memprof.report.calls.count - 1);
    await opened.page.evaluate((call) => window.__memprof.set({ call }), call);
    await settled(opened.page);
    check(await opened.page.evaluate((call) => window.__memprof.time.debug.callRect(call), call), "a chosen call has a visible lane");
    quiet(opened.wrong);
    await opened.close();
  },

  "gaps, markers and controls explain themselves": async ({ browser, page }) => {
    const opened = await open(browser, page("everything"));
    const signs = await opened.page.locator("#signs").innerText();
    for (const sign of ["snapshot with a tree", "compared with", "shown", "peak", "checkpoint"]) check(signs.includes(sign), `${sign} is explained: ${signs}`);
    const gaps = await opened.page.locator(".gaps").allInnerTexts();
    check(gaps.some((text) => text.includes("unknown") && text.includes("not 0")), `gaps are explained: ${gaps}`);
    const bare = await opened.page.evaluate(() => [...document.querySelectorAll("#controls select, .time-bar button")].filter((one) => !(one.title || one.closest("label")?.title)).map((one) => one.textContent));
    equal(bare, [], "controls without an explanation");
    quiet(opened.wrong);
    await opened.close();
  },
};
