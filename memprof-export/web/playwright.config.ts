import { existsSync } from "node:fs";
import { firefox, defineConfig } from "@playwright/test";

/** The pages need no network, so the browser gets none. */
const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
args.push("--disable-background-networking", "--disable-component-update", "--disable-sync");

/** Without the variable, Playwright's own Chromium. */
const launchOptions = { executablePath: process.env.CHROMIUM, args };

const small = { testIgnore: ["speed.spec.ts"], dependencies: ["pages"] };

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  timeout: 60_000,
  retries: 0,
  forbidOnly: true,
  fullyParallel: true,
  reporter: "list",
  use: { browserName: "chromium", trace: "retain-on-failure", screenshot: "only-on-failure", launchOptions },
  projects: [
    { name: "pages", testMatch: "pages.setup.ts" },
    { name: "large pages", testMatch: "large_pages.setup.ts" },
    { name: "chromium", ...small },
    // Times are right only while no other test runs: pass `--workers=1`.
    { name: "speed", testMatch: "speed.spec.ts", dependencies: ["large pages"], use: { trace: "off" } },
    ...(existsSync(firefox.executablePath())
      ? [{ name: "firefox", ...small, use: { browserName: "firefox" as const, launchOptions: {} } }]
      : []),
    ...(process.env.GALLERY ? [{ name: "gallery", testMatch: "gallery.ts" }] : []),
  ],
});
