// A page in Chromium, and a record of what it must not do: errors, requests, dialogs.

import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

/** Starts the browser at a path, with the driver that is installed in `folder`. */
export const launch = (folder, chromium) => {
  const playwright = createRequire(join(folder, "package.json"))("playwright-core");
  return playwright.chromium.launch({ executablePath: chromium, args: FLAGS });
};

/** Opens a page and waits until it is drawn. Forbidden events of the page are added to `wrong`. */
export const open = async (browser, file, { width = 1280, height = 900, scheme = "light", hash = "", scale = 1, script = true, timeout = 60000 } = {}) => {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, deviceScaleFactor: scale, javaScriptEnabled: script });
  const page = await context.newPage();
  const wrong = [];
  const url = pathToFileURL(file).href;
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => wrong.push(`error: ${error.message}`));
  page.on("request", (request) => request.url().split("#")[0] !== url && wrong.push(`request: ${request.url().slice(0, 200)}`));
  page.on("dialog", (dialog) => { wrong.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on("popup", (popup) => wrong.push(`popup: ${popup.url()}`));
  await page.goto(url + hash, { timeout });
  if (script) await page.waitForFunction(() => window.__memprof?.ready > 0, null, { timeout });
  return { page, wrong, close: () => context.close() };
};

/** Waits until all requested changes are drawn, two frames after the next one begins. */
export const settled = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))));

/** Fails with the expectation as its message. */
export const check = (holds, what) => { if (!holds) throw new Error(what); };

export const equal = (found, expected, what) =>
  check(Object.is(found, expected) || JSON.stringify(found) === JSON.stringify(expected), `${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);

export const quiet = (wrong) => check(wrong.length === 0, `the page should be quiet: ${wrong.slice(0, 5).join("; ")}`);

/** Returns the colours of a column of pixels on the screen. */
export const column = async (page, x, top, height) => {
  const picture = await page.screenshot({ clip: { x: Math.floor(x), y: Math.floor(top), width: 1, height } });
  return page.evaluate(async ([bytes, height]) => {
    const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
    const canvas = new OffscreenCanvas(1, height).getContext("2d");
    canvas.drawImage(bitmap, 0, 0);
    const { data } = canvas.getImageData(0, 0, 1, height);
    return Array.from({ length: height }, (_, y) => [...data.slice(y * 4, y * 4 + 3)]);
  }, [[...picture], height]);
};

export const pixel = async (page, x, y) => (await column(page, x, y, 1))[0];

/** Converts a CSS colour to the colour of a pixel. */
export const painted = (page, colour) =>
  page.evaluate((colour) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  }, colour);
