/** Pages with a million calls or snapshots: their size, loading time and frame rate. */

import { statSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, fileOf, settled, test, visit } from "./page";

const percentile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

/** Returns the times of frames during an action. */
const frames = async (page: Page, act: () => Promise<void>) => {
  const measured = await page.evaluateHandle(() => {
    const times: number[] = [];
    let last = performance.now();
    let request = 0;
    const next = (now: number) => {
      times.push(now - last);
      last = now;
      request = requestAnimationFrame(next);
    };
    request = requestAnimationFrame(next);
    return { times, stop: () => cancelAnimationFrame(request) };
  });
  await act();
  return measured.evaluate(({ times, stop }) => {
    stop();
    return times.slice(2);
  });
};

for (const [title, name] of [
  ["a million calls of a service", "million"],
  ["a million calls without any order", "million_random"],
]) {
  test.describe(title, () => {
    test("the page is at most 25 MB", () => {
      const { size } = statSync(fileOf(name));
      console.log(`${name}: ${megabytes(size)}`);
      expect(size).toBeLessThanOrEqual(25e6);
    });

    test("the page is ready in under 2 seconds", async ({ browser }) => {
      const ready = [];
      for (let round = 0; round < 3; round++) {
        // A new context has no caches.
        const page = await browser.newPage();
        expect(await visit(page, fileOf(name))).toEqual([]);
        ready.push(await page.evaluate(() => window.__memprof.ready));
        await page.close();
      }
      console.log(`${name}: ready in ${ready.map(Math.round).join(", ")} ms`);
      expect(percentile(ready, 0.5)).toBeLessThan(2000);
    });

    for (const [view, share] of [
      ["all", 1],
      ["a tenth", 0.1],
      ["a thousandth", 0.001],
    ] as const) {
      test(`panning ${view} draws 30 frames a second`, async ({ page, open }) => {
        await open(name);
        const box = await page.evaluate(() => {
          const canvas = [...document.querySelectorAll("#time canvas")].at(-1) as Element;
          canvas.scrollIntoView({ block: "center" });
          const { x, y, width, height } = canvas.getBoundingClientRect();
          return { x, y, width, height };
        });
        await page.evaluate((share) => {
          const { data, set } = window.__memprof;
          set({ from: data.end * 0.4 * (1 - share), to: data.end * (0.4 * (1 - share) + share) });
        }, share);
        await settled(page);
        const move = (part: number) => page.mouse.move(box.x + box.width * part, box.y + box.height / 2);
        const dragged = await frames(page, async () => {
          await move(0.8);
          await page.mouse.down();
          for (let step = 0; step < 90; step++) await move(0.8 - step * 0.006);
          await page.mouse.up();
        });
        const keyed = await frames(page, async () => {
          for (let step = 0; step < 30; step++) await page.keyboard.press(step % 2 ? "d" : "w");
        });
        const [half, slow, key] = [percentile(dragged, 0.5), percentile(dragged, 0.95), percentile(keyed, 0.95)];
        console.log(
          `${name}, panning ${view}: median ${half.toFixed(1)} ms, 95th percentile ${slow.toFixed(1)} ms of ${dragged.length} frames; by keys ${key.toFixed(1)} ms`,
        );
        expect(slow).toBeLessThanOrEqual(33.4);
      });
    }
  });
}

test("a million snapshots keep their highest point", async ({ page, open }) => {
  await open("snapshots");
  const found = await page.evaluate(() => {
    const curve = window.__memprof.data.charts[0].curves.find((one) => one.name === "live heap");
    return { ready: window.__memprof.ready, values: [...(curve?.values ?? [])] };
  });
  console.log(
    `a million snapshots: ${megabytes(statSync(fileOf("snapshots")).size)}, ${found.values.length} points, ready in ${Math.round(found.ready)} ms`,
  );
  expect(Math.max(...found.values)).toBe(999 * 2 ** 20);
  await settled(page);
});
