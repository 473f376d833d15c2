// Opens an SVG in a browser, in both themes, and takes a picture of each: FILE.
// Prints the root's bytes before and after, and the number of frames, as JSON.
import { launch } from "./browser.mjs";

const file = process.argv[2];
const browser = await launch();
const wrong = [];
let drawing;
for (const colorScheme of ["light", "dark"]) {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1200, height: 480 } });
  page.on("console", (message) => wrong.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => wrong.push(`error: ${error}`));
  page.on("dialog", (dialog) => wrong.push(`dialog: ${dialog.message()}`));
  page.on("request", (request) => {
    if (request.url() !== `file://${file}`) wrong.push(`request: ${request.url()}`);
  });
  await page.goto(`file://${file}`);
  await page.screenshot({ path: file.replace(/svg$/, `${colorScheme}.png`) });
  drawing = await page.evaluate(() => {
    const titles = [...document.querySelectorAll("g > title")].map((title) => title.textContent);
    const bytes = (title, side) => {
      const line = title.split("\n").find((line) => line.startsWith(`${side}: `));
      return line.includes("absent") ? 0 : Number(line.replace(/[^0-9]/g, ""));
    };
    const sides = ["before", "after"].map((side) => bytes(titles[0], side));
    const wrong = [];
    for (const text of document.querySelectorAll("g.f > rect + text, text")) {
      const size = parseFloat(getComputedStyle(text).fontSize);
      if (size < 12) wrong.push(`text of ${size} pixels`);
    }
    for (const frame of document.querySelectorAll("g.f")) {
      const [rect, text] = [frame.querySelector("rect"), frame.querySelector("text")];
      if (!text || !frame.querySelector("title")) continue;
      const [outer, inner] = [rect.getBoundingClientRect(), text.getBoundingClientRect()];
      if (inner.right > outer.right + 1) wrong.push(`"${text.textContent}" is wider than its frame`);
    }
    const width = document.documentElement.getBoundingClientRect().width;
    return { sides, frames: titles.length, wrong, width, page: getComputedStyle(document.querySelector(".page")).fill };
  });
  wrong.push(...drawing.wrong);
  const expected = colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(21, 24, 28)";
  if (drawing.page !== expected) wrong.push(`the page is ${drawing.page} in ${colorScheme}`);
}
await browser.close();
if (wrong.length > 0) throw new Error(wrong.join("\n"));
console.log(JSON.stringify({ sides: drawing.sides, frames: drawing.frames }));
