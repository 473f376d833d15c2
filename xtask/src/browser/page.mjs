// Chromium, driven by Playwright.

import { createRequire } from "node:module";
import { join } from "node:path";

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

/** Starts the browser at a path, with the driver that is installed in `folder`. */
export const launch = (folder, chromium) => {
  const playwright = createRequire(join(folder, "package.json"))("playwright-core");
  return playwright.chromium.launch({ executablePath: chromium, args: FLAGS });
};
