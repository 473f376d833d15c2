/** Opens pages, and records what they must not do: errors, requests, dialogs. */

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { test as base, expect, type Page } from "@playwright/test";
import type { View } from "../src/state";

export { expect };

/** The folder of the recordings and their pages. */
export const FOLDER = resolve("test-results/pages");

/** The folder of pictures for visual inspection. */
export const PICTURES = resolve("test-results/pictures");

export const PANES = ["operations", "tree", "difference", "places"] as const;

/** The views that have all parts of the page: recordings and panes. */
export const VIEWS = [
  ...PANES.map((pane) => ["everything", pane] as const),
  ["pinned", "places"] as const,
  ["held", "tree"] as const,
];

export const THEMES = ["light", "dark"] as const;

export const fileOf = (name: string) => join(FOLDER, `${name}.html`);

/** Returns the recording that a page was made from. */
export const recording = (name: string) => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8"));

/** Opens a page and waits until it is drawn. Returns a list that grows with each forbidden event. */
export const visit = async (page: Page, file: string) => {
  const wrong: string[] = [];
  const url = pathToFileURL(file).href;
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) wrong.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (request.url().split("#")[0] !== url) wrong.push(`request: ${request.url().slice(0, 200)}`);
  });
  page.on("dialog", (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("popup", (popup) => wrong.push(`popup: ${popup.url()}`));
  await page.goto(url);
  await page.waitForFunction(() => window.__memprof?.ready > 0);
  return wrong;
};

interface Fixtures {
  /** Opens the page with this name. */
  open: (name: string) => Promise<void>;
  /** Whether the test fails if the page did something forbidden. */
  quiet: boolean;
}

export const test = base.extend<Fixtures>({
  quiet: [true, { option: true }],
  open: async ({ page, quiet }, use) => {
    let wrong: string[] = [];
    await use(async (name) => {
      wrong = await visit(page, fileOf(name));
    });
    if (quiet) expect(wrong, "errors, requests and dialogs").toEqual([]);
  },
});

/** Waits until all requested changes are drawn, two frames after the next one begins. */
export const settled = (page: Page) =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))),
  );

/** Changes the state of the page, and waits until it is drawn. */
export const set = async (page: Page, changes: Partial<View>) => {
  await page.evaluate((changes) => window.__memprof.set(changes), changes);
  await settled(page);
};

export const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) {
    await page.keyboard.press(key);
    await settled(page);
  }
};

/** Returns by how many pixels the page is wider than the screen. */
export const excess = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Replaces spaces that do not break. */
export const plain = (text: string | null | undefined) => (text ?? "").replaceAll("\u00a0", " ");

/** Formats a number with its thousands separated, like the page. */
export const grouped = (number: number) =>
  (number < 0 ? "−" : "") + String(Math.abs(number)).replace(/\B(?=(\d{3})+(?!\d))/g, ",");

/** Returns the colours of a column of pixels on the screen. */
export const column = async (page: Page, x: number, top: number, height: number) => {
  const picture = await page.screenshot({ clip: { x: Math.floor(x), y: Math.floor(top), width: 1, height } });
  return page.evaluate(
    async ([bytes, height]) => {
      const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
      const canvas = new OffscreenCanvas(1, height).getContext("2d") as OffscreenCanvasRenderingContext2D;
      canvas.drawImage(bitmap, 0, 0);
      const { data } = canvas.getImageData(0, 0, 1, height);
      return Array.from({ length: height }, (_, y) => [...data.slice(y * 4, y * 4 + 3)]);
    },
    [[...picture], height] as const,
  );
};

export const pixel = async (page: Page, x: number, y: number) => (await column(page, x, y, 1))[0];

/** Converts a CSS colour to the colour of a pixel. */
export const painted = (page: Page, colour: string) =>
  page.evaluate((colour) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d") as OffscreenCanvasRenderingContext2D;
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  }, colour);

/** Returns the largest difference between the parts of two colours. */
export const distance = (one: number[], other: number[]) =>
  Math.max(...one.map((part, at) => Math.abs(part - other[at])));
