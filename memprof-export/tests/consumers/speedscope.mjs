// Opens a file in speedscope's page, without a network, and prints the text of each of its
// profiles.
// Arguments: the page, the file, the picture.
import fs from "node:fs";
import { pathToFileURL } from "node:url";
import { launch } from "./browser.mjs";

const [index, file, picture] = process.argv.slice(2);
const count = JSON.parse(fs.readFileSync(file, "utf8")).profiles.length;

async function main() {
  const browser = await launch();
  const page = await browser.newPage({ viewport: { width: 1280, height: 640 } });
  const requests = [];
  const wrong = [];
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) requests.push(request.url());
  });
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("dialog", (dialog) => {
    wrong.push(dialog.message());
    dialog.dismiss();
  });
  await page.goto(pathToFileURL(index).href, { waitUntil: "load" });
  await page.setInputFiles("input[type=file]", file);
  await page.waitForSelector("canvas", { timeout: 60000 });
  // Key 3 opens the table of frames with their bytes, and n the next profile.
  await page.keyboard.press("3");
  const profiles = [];
  for (let at = 0; at < count; at += 1) {
    await page.waitForTimeout(300);
    profiles.push(await page.evaluate(() => document.body.innerText));
    await page.keyboard.press("n");
  }
  // Key p opens the previous profile, and 2 the flame graph with the widest frame on the left.
  for (let at = 1; at < count; at += 1) await page.keyboard.press("p");
  await page.keyboard.press("2");
  await page.waitForTimeout(1500);
  await page.screenshot({ path: picture });
  await browser.close();
  console.log(JSON.stringify({ profiles, requests, wrong }));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
