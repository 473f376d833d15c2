/**
 * Bundles the page's scripts into the two files that Rust includes. With `--check` it changes no
 * file, and fails if one is not up to date.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { build } from "esbuild";

const common = {
  outdir: "../src/page",
  // The oldest browsers that draw the page; `page.html` names them too.
  target: ["chrome111", "firefox113", "safari16.4"],
  banner: { js: "// `cargo xtask page` generates this file from the folder memprof-export/web. Edit that." },
  charset: "utf8",
  logLevel: "warning",
  write: false,
};
const builds = await Promise.all([
  build({ ...common, entryPoints: { bundle: "src/start.ts" }, bundle: true, format: "iife" }),
  // The bundle uses the loader's only name, so the loader is no module.
  build({ ...common, entryPoints: ["src/loader.ts"] }),
]);

for (const { path, text } of builds.flatMap((built) => built.outputFiles)) {
  const name = relative("../src/page", path);
  const isCurrent = text === readFileSync(path, "utf8");
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (!isCurrent) {
    console.error(`${name} is not up to date; run \`cargo xtask page\``);
    process.exitCode = 1;
  }
  console.log(`${name}: ${text.length} characters`);
}
