// Starts the browser named by the environment variable CHROMIUM.
import { createRequire } from "node:module";

export const launch = () => {
  const { chromium } = createRequire(import.meta.url)("playwright-core");
  return chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-quic"] });
};
