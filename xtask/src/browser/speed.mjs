// Pages with a million calls: their size, loading time and frame rate.

import { statSync } from "node:fs";
import { check, open, quiet, settled } from "./page.mjs";

const percentile = (values, share) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];

/** Returns the times of frames during an action. */
const frames = async (page, act) => {
  await page.evaluate(() => {
    window.frames_ = [];
    let last = performance.now();
    const next = (now) => { window.frames_.push(now - last); last = now; if (window.frames_ !== null) window.handle_ = requestAnimationFrame(next); };
    window.handle_ = requestAnimationFrame(next);
  });
  await act();
  return page.evaluate(() => { cancelAnimationFrame(window.handle_); return window.frames_.slice(2); });
};

const checkOf = (name) => async ({ browser, page, record }) => {
  const bytes = statSync(page(name)).size;
  check(bytes <= 25e6, `the page takes at most 25 MB, found ${bytes}`);
  const ready = [];
  for (let round = 0; round < 3; round++) {
    const opened = await open(browser, page(name));
    ready.push(await opened.page.evaluate(() => window.__memprof.ready));
    quiet(opened.wrong);
    await opened.close();
  }
  const opened = await open(browser, page(name));
  const box = await opened.page.evaluate(() => {
    const canvas = [...document.querySelectorAll("#time canvas")].at(-1);
    canvas.scrollIntoView({ block: "center" });
    const { x, y, width, height } = canvas.getBoundingClientRect();
    return { x, y, width, height };
  });
  const line = [`${name}: ${(bytes / 1e6).toFixed(1)} MB, ready in ${Math.round(percentile(ready, 0.5))} ms (${ready.map(Math.round).join(", ")})`];
  for (const [view, share] of [["all", 1], ["a tenth", 0.1], ["a thousandth", 0.001]]) {
    await opened.page.evaluate((share) => {
      const { report, set } = window.__memprof;
      set({ from: report.end * 0.4 * (1 - share), to: report.end * (0.4 * (1 - share) + share) });
    }, share);
    await settled(opened.page);
    const dragged = await frames(opened.page, async () => {
      await opened.page.mouse.move(box.x + box.width * 0.8, box.y + box.height / 2);
      await opened.page.mouse.down();
      for (let step = 0; step < 90; step++) await opened.page.mouse.move(box.x + box.width * (0.8 - step * 0.006), box.y + box.height / 2);
      await opened.page.mouse.up();
    });
    const keyed = await frames(opened.page, async () => { for (let step = 0; step < 30; step++) await opened.page.keyboard.press(step % 2 ? "d" : "w"); });
    const [half, slow] = [percentile(dragged, 0.5), percentile(dragged, 0.95)];
    line.push(`panning ${view}: median ${half.toFixed(1)} ms, 95th percentile ${slow.toFixed(1)} ms of ${dragged.length} frames; by keys ${percentile(keyed, 0.95).toFixed(1)} ms`);
    check(slow <= 33.4, `${line.at(-1)}: expected at most 33 ms`);
  }
  record(line.join("; "));
  quiet(opened.wrong);
  await opened.close();
  const median = percentile(ready, 0.5);
  check(median < 2000, `${name} is ready in under 2 seconds, took ${median}`);
};

export const checks = {
  "a million calls of a service": checkOf("million"),
  "a million calls without any order": checkOf("million_random"),
  "a million snapshots": async ({ browser, page, record }) => {
    const opened = await open(browser, page("snapshots"));
    const found = await opened.page.evaluate(() => {
      const curve = window.__memprof.report.charts[0].curves.find((one) => one.name === "live heap");
      return { ready: window.__memprof.ready, points: curve.times.length, most: curve.values.reduce((most, one) => Math.max(most, one)) };
    });
    check(found.most === 999 * 2 ** 20, `the highest point is kept, found ${found.most}`);
    await settled(opened.page);
    quiet(opened.wrong);
    record(`a million snapshots: ${(statSync(page("snapshots")).size / 1e6).toFixed(1)} MB, ${found.points} points, ready in ${Math.round(found.ready)} ms`);
    await opened.close();
  },
};
