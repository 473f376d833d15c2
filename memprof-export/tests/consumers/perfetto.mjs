// Opens a trace in Perfetto's own page, served on this machine, and prints the answers of its
// engine.
// Arguments: the folder of the page, the trace, SQL as JSON, the picture.
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { launch } from "./browser.mjs";

const [page_folder, trace, queries, picture] = process.argv.slice(2);

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

function serve(request, response) {
  const name = new URL(request.url, "http://localhost").pathname;
  const answer = (type, body) => response.writeHead(200, { "Content-Type": type }).end(body);
  if (name === "/vizviewer_info" || name === "/file_info") return answer("application/json", "{}");
  if (name === "/localtrace") return answer("application/octet-stream", fs.readFileSync(trace));
  const file = path.join(page_folder, name === "/" ? "index.html" : path.normalize(name));
  if (!fs.existsSync(file)) return response.writeHead(404).end();
  answer(TYPES[path.extname(file)] || "application/octet-stream", fs.readFileSync(file));
}

async function main() {
  const server = http.createServer(serve);
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const browser = await launch();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.route("**", (route) => {
    const url = route.request().url();
    if (url.startsWith(origin) || /^(data|blob):/.test(url)) return route.continue();
    // The page requests news about itself, and works without them.
    return route.abort();
  });
  await page.goto(origin, { waitUntil: "load" });
  await page.waitForFunction(() => window.app && window.app.trace && window.app.trace.engine, null, { timeout: 60000 });
  const ask = (sql) => page.evaluate(async (sql) => {
    const result = await window.app.trace.engine.query(sql);
    const rows = [];
    const columns = result.columns();
    for (const row = result.iter({}); row.valid(); row.next()) {
      rows.push(Object.fromEntries(columns.map((name) => [name, ((value) => typeof value === "bigint" ? value.toString() : value)(row.get(name))])));
    }
    return rows;
  }, sql);
  const answers = {};
  for (const [name, sql] of Object.entries(JSON.parse(queries))) answers[name] = await ask(sql);
  // Unfolds all groups, as a user does with one click. Waits until there is a group to unfold.
  await page.waitForFunction(() => {
    try {
      window.app.commands.runCommand("dev.perfetto.ExpandAllGroups");
    } catch {
      return false;
    }
    return document.body.innerText.includes("RSS");
  }, null, { polling: 500, timeout: 60000 });
  await page.waitForTimeout(4000);
  await page.screenshot({ path: picture });
  await browser.close();
  server.close();
  console.log(JSON.stringify(answers));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
