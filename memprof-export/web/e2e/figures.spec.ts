/** The page shows the values of the file: figures, tooltips, pixels. */

import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { column, distance, expect, grouped, painted, pixel, plain, recording, set, settled, test } from "./page";
import { printed } from "./pages";
import { held } from "./recordings";

const MIB = 2 ** 20;

/** Rows of `operation_events`. */
type Call = [path: number, thread: number, start: number, end: number, delta: number];

const seconds = (ns: number) => `${grouped(Math.floor(ns / 1e9))}.${String(ns % 1e9).padStart(9, "0")}`;

/** Returns the point of the live heap's curve at a time. */
const livePoint = async (page: Page, ns: number) => {
  const point = await page.evaluate((ns) => {
    const { data, time } = window.__memprof;
    return time.debug.curvePoint(data.charts[0].title, "live heap", ns);
  }, ns);
  if (!point) throw new Error(`the live heap has no point at ${ns} ns`);
  return point;
};

/** Fails unless the area under the live heap's curve is filled and the area above is not. */
const expectEdge = async (page: Page, second: number) => {
  const point = await livePoint(page, second * 1e9);
  const [above, below] = [await pixel(page, point.x, point.y - 6), await pixel(page, point.x, point.y + 6)];
  expect(distance(above, below), `the area ends at ${second} s: ${above}, ${below}`).toBeGreaterThan(5);
};

test("amounts are written as memprof writes them elsewhere", async ({ page, open }) => {
  // The tests of `Units` in memprof-profile and of the page's scripts read the same table.
  const cases: [number, ...string[]][] = JSON.parse(readFileSync("../../tests/data/units.json", "utf8"));
  await open("everything");
  for (const [bytes, ...expected] of cases) {
    const found = await page.evaluate(
      (bytes) => (["iec", "si", "bytes"] as const).map((units) => window.__memprof.units.bytes(bytes, units)),
      bytes,
    );
    expect(found.map(plain), `${bytes} bytes`).toEqual(expected);
  }
});

test("every call in the page is the file's", async ({ page, open }) => {
  await open("everything");
  const found = await page.evaluate(() => {
    const { calls, lanes, paths } = window.__memprof.data;
    return lanes.flatMap((lane) =>
      Array.from({ length: lane.count }, (_, index) => lane.first + index).map((at) => [
        paths[calls.path[at]].whole,
        lane.thread,
        calls.start[at],
        calls.start[at] + calls.duration[at],
        calls.delta[at],
        calls.before[at],
        calls.after[at],
        Number.isNaN(calls.tensors[at]) ? null : calls.tensors[at],
      ]),
    );
  });
  const file = recording("everything");
  const expected = file.operation_events.rows.map(([path, ...rest]: Call) => [
    file.operation_paths[path].names.join(";"),
    ...rest,
  ]);
  const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
  expect(sorted(found)).toEqual(sorted(expected));
});

test("the tooltip of a call has the file's figures", async ({ page, open }) => {
  await open("everything");
  const file = recording("everything");
  await page.locator(".lanes-title button").click();
  // The longest calls are wide enough for the pointer in any view.
  const calls: Call[] = file.operation_events.rows.filter((row: Call) => row[3] - row[2] > 4e8);
  expect(calls.length).toBeGreaterThanOrEqual(3);
  for (const [path, thread, start, end, delta] of calls) {
    const names: string[] = file.operation_paths[path].names;
    const name = names[names.length - 1];
    const at = await page.evaluate(
      ([whole, thread, start]) => {
        const { calls, lanes, paths } = window.__memprof.data;
        for (const lane of lanes.filter((lane) => lane.thread === thread)) {
          for (let at = lane.first; at < lane.first + lane.count; at++) {
            if (calls.start[at] === start && paths[calls.path[at]].whole === whole) return at;
          }
        }
        return -1;
      },
      [names.join(";"), thread, start] as const,
    );
    expect(at, `${name} at ${start} is in the page`).toBeGreaterThanOrEqual(0);
    await page.evaluate(() => {
      location.hash = "";
    });
    await set(page, { from: Math.max(0, start - 1e9), to: end + 1e9 });
    await page.locator("#time canvas").last().scrollIntoViewIfNeeded();
    const box = await page.evaluate((at) => window.__memprof.time.debug.callRect(at), at);
    if (!box) throw new Error(`${name} is not drawn`);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await settled(page);
    const text = plain(await page.locator("#tooltip").innerText());
    for (const expected of [name, grouped(Math.abs(delta)), seconds(start), seconds(end)]) {
      expect(text).toContain(expected);
    }
    const rows = await page.evaluate(() =>
      Object.fromEntries(
        [...document.querySelectorAll("#tooltip dt")].map((label) => [
          label.textContent,
          label.nextElementSibling?.textContent,
        ]),
      ),
    );
    const took = await page.evaluate((ns) => window.__memprof.units.span(ns), end - start);
    expect([rows.start, rows.end, rows.duration].map(plain)).toEqual([
      `${seconds(start)} s`,
      `${seconds(end)} s`,
      `${plain(took)} · ${grouped(end - start)} ns`,
    ]);
    const named = file.thread_names.find((one: { thread: number }) => one.thread === thread);
    expect(rows.thread).toBe(named ? `${named.name} (thread ${thread})` : `thread ${thread} (name unknown)`);
    const change = plain(rows.change);
    expect(change[0]).toBe(delta > 0 ? "+" : delta < 0 ? "−" : "±");
    expect(change.endsWith(` ${grouped(delta)} B`), `the change of ${name} is ${delta}: ${change}`).toBe(true);
  }
});

test("a call is drawn where and in the colour the data says", async ({ page, open }) => {
  await open("everything");
  await set(page, { from: 0, to: 4e9 });
  await page.locator("#time canvas").last().scrollIntoViewIfNeeded();
  const calls = await page.evaluate(() => {
    const { data, time } = window.__memprof;
    return Array.from({ length: data.calls.count }, (_, at) => at).flatMap((at) => {
      const box = time.debug.callRect(at);
      return box && box.width > 20 ? [{ box, colour: time.debug.colour(data.calls.path[at]) }] : [];
    });
  });
  expect(calls.length, "calls in view").toBeGreaterThanOrEqual(3);
  for (const { box, colour } of calls) {
    const expected = await painted(page, colour);
    // The points are just inside the call's edges, where there is no label.
    for (const x of [box.x + 2, box.x + box.width - 4]) {
      const found = await pixel(page, x, box.y + 2);
      const where = `${found} at ${x - box.x} of ${box.width} px, where a call is ${expected}`;
      expect(distance(found, expected), where).toBeLessThanOrEqual(12);
    }
  }
});

/** Returns the live bytes at all snapshots and at the start and end of each call, in the order of time. */
const livePoints = (): [number, number][] => {
  const { snapshots, operation_events } = recording("everything");
  const points: [number, number][] = snapshots.map((one: { at_ns: number; heap: { live_bytes: number } }) => [
    one.at_ns,
    one.heap.live_bytes,
  ]);
  for (const [, , start, end, , before, after] of operation_events.rows) points.push([start, before], [end, after]);
  return points.sort((one, other) => one[0] - other[0]);
};

test("the curves go through the file's figures", async ({ page, open }) => {
  await open("everything");
  const points = await page.evaluate(() => {
    const live = window.__memprof.data.charts[0].curves.find((curve) => curve.name === "live heap");
    return [...(live?.times ?? [])].map((at, index) => [at, live?.values[index]]);
  });
  expect(points).toEqual(livePoints());
  for (const second of [12.125, 33.125, 55.125]) await expectEdge(page, second);
  // Where the curve falls steeply, an error of one point changes its position.
  await set(page, { from: 9e9, to: 11e9 });
  for (const second of [9.875, 10.125]) await expectEdge(page, second);
});

test("the legend has the values at the end of the view", async ({ page, open }) => {
  await open("everything");
  for (const second of [9.875, 33.125]) {
    await set(page, { from: 0, to: second * 1e9 });
    const value = page.locator('.legend button[title$=" live heap"] b').first();
    const last = livePoints().findLast(([at]) => at <= second * 1e9);
    expect(plain(await value.getAttribute("title"))).toBe(`${grouped(last?.[1] ?? 0)} B`);
  }
  // The driver did not answer at that time.
  await set(page, { from: 20e9, to: 26e9 });
  await expect(page.locator('.legend button[title$=" gpu: used"] b')).toHaveText(["unknown"]);
});

test("the peak is marked on the curve, where the file has most", async ({ page, open }) => {
  await open("everything");
  const warn = await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--warn"));
  const colour = await painted(page, warn);
  const moments = Array.from({ length: 241 }, (_, number) => number / 4);
  const peak = moments.reduce((most, at) => (held(at).live > held(most).live ? at : most));
  for (const [from, to] of [
    [0, 60],
    [50, 60],
    [59.5, 60],
  ]) {
    await set(page, { from: from * 1e9, to: to * 1e9 });
    const point = await livePoint(page, peak * 1e9);
    expect(point.value).toBe(held(peak).live);
    // The mark is a triangle of 9 px on the curve. Its middle column is read, because its tip is
    // blurred.
    const top = Math.floor(point.y) - 40;
    const colours = await column(page, point.x, top, 80);
    const rows = colours.flatMap((found, row) => (distance(found, colour) <= 12 ? [row + top - point.y] : []));
    const where = `the peak's mark from ${from} to ${to} s: ${rows.map((row) => row.toFixed(1))}`;
    expect(Math.abs(rows[0] + 8), where).toBeLessThanOrEqual(1.5);
    expect(rows[rows.length - 1], where).toBeGreaterThanOrEqual(-4);
    expect(rows[rows.length - 1], where).toBeLessThanOrEqual(1);
  }
});

/** Returns the texts and titles of the visible amounts in bold type. */
const bold = (page: Page, pane: string) =>
  page.evaluate((pane) => {
    const all = document.querySelectorAll<HTMLElement>(`[role=tabpanel][id*=${pane}] b[title]`);
    return [...all].filter((one) => one.offsetParent).map((one) => ({ text: one.textContent, title: one.title }));
  }, pane);

test("the panes show the snapshots that are chosen", async ({ page, open }) => {
  await open("everything");
  const file = recording("everything");
  const snapshots = await page.evaluate(() => {
    const { nodes, snapshots, tree } = window.__memprof.data;
    return snapshots.flatMap(({ number }, index) => {
      const shown = tree(index);
      if (!shown) return [];
      // The total includes the memory of devices that no root claims.
      const unexplained = shown.bytes.filter((_, at) => nodes.kind[shown.nodes[at]] === 2);
      return [{ number, index, total: shown.total, unexplained: unexplained.reduce((sum, bytes) => sum + bytes, 0) }];
    });
  });
  const [early, late] = [snapshots[3], snapshots[snapshots.length - 4]];
  expect(early.total).not.toBe(late.total);
  for (const { number, index, total, unexplained } of [early, late]) {
    const second = file.snapshots[number].at_ns / 1e9;
    const rest = held(second).scratch + 5 * MIB;
    await set(page, { pane: "tree", shown: index });
    const tree = (await bold(page, "tree")).map(({ title }) => plain(title));
    expect(tree.slice(0, 2)).toEqual([`${grouped(total)} B`, `${grouped(unexplained)} B`]);
    const steps = await page.locator(".steps span").evaluateAll((all: HTMLElement[]) => all.map((one) => one.title));
    expect(steps.map(plain)).toContain(`${grouped(rest)} B`);
    const bar = await page.locator(".balance .bar i").evaluateAll((all) => all.map((one) => one.clientWidth));
    const whole = await page.locator(".balance .bar").evaluate((one) => one.clientWidth);
    expect(Math.abs(bar.reduce((sum, width) => sum + width, 0) - whole), "the parts fill the bar").toBeLessThan(4);
  }
  for (const [before, after, sign] of [
    [early, late, "+"],
    [late, early, "−"],
  ] as const) {
    await set(page, { pane: "difference", before: before.index, shown: after.index });
    const [{ text, title }] = await bold(page, "difference");
    expect(text[0]).toBe(sign);
    expect(plain(title)).toBe(`${grouped(after.total - before.total)} B`);
    const rows = await page.evaluate(() => window.__memprof.panes.debug.rows("difference"));
    const cache = rows.filter(([name]) => /^cache| cache/.test(name));
    expect(cache).not.toEqual([]);
    for (const row of cache) expect(row[1][0], row.join()).toBe(sign);
  }
});

test("call sites are one table with growth, the peak and live bytes, which sorts by each", async ({ page, open }) => {
  await open("everything");
  await set(page, { pane: "places" });
  const table = page.locator("#pane-places section").first();
  const heads = (await table.locator("thead th").allInnerTexts()).map((text) => plain(text).replace(/^[↓↑] /, ""));
  expect(heads).toEqual([
    "call site",
    "growth per second",
    "live",
    "unexplained",
    "allocated",
    "lifetime",
    "operation",
  ]);
  const places = async () => (await table.locator("tbody th").allInnerTexts()).map(plain);
  const all = await places();
  expect(new Set(all).size, "each call site has one row").toBe(all.length);
  expect(all[0], "a suspect comes before faster call sites with a doubt").toContain("importer::cache");
  const lifetimes = async () => (await table.locator("tbody td:nth-child(6)").allInnerTexts()).map(plain);
  const known = async () => (await lifetimes()).filter((text) => text !== "–");
  const sort = table.locator("button.sort", { hasText: "lifetime" });
  await sort.click();
  expect(await known()).toEqual(["4.2 s", "less than 1 ms"]);
  await sort.click();
  expect(await known()).toEqual(["less than 1 ms", "4.2 s"]);
  expect((await lifetimes()).at(-1), "unknown ones stay last").toBe("–");
  const titles = await table
    .locator("tbody td:nth-child(6)")
    .evaluateAll((cells: HTMLElement[]) => cells.slice(0, 2).map((one) => one.title));
  expect(titles.map(plain)).toEqual([
    "from 9 freed blocks among the samples",
    "from 250 freed blocks among the samples, 95 % interval 4.0 s to 4.4 s",
  ]);
});

test("the tree and the difference add up", async ({ page, open }) => {
  await open("everything");
  const file = recording("everything");
  const trees = await page.evaluate(() => {
    const { nodes, snapshots, tree } = window.__memprof.data;
    return snapshots.flatMap(({ number }, index) => {
      const shown = tree(index);
      if (!shown) return [];
      const list = [...shown.nodes].map((node, at) => ({
        node,
        name: nodes.name[node],
        kind: nodes.kind[node],
        parent: nodes.parent[node],
        bytes: shown.bytes[at],
        allocations: shown.allocations[at],
      }));
      return [{ number, list }];
    });
  });
  expect(trees.length, "trees of the checkpoints and more").toBeGreaterThanOrEqual(5);
  for (const { number, list } of trees) {
    const snapshot = file.snapshots[number];
    for (const { name, profile } of snapshot.roots) {
      if (!profile) continue;
      const node = list.find((one) => one.name === name && one.parent === 0);
      const allocations = profile.branches.reduce(
        (sum: number, { counts }: { counts?: { allocations: number } }) => sum + (counts?.allocations ?? 0),
        0,
      );
      expect([node?.bytes, node?.allocations], `${name} in snapshot ${number}`).toEqual([
        profile.total_bytes,
        allocations,
      ]);
    }
    // The bytes of a branch are the sum of its children.
    for (const { name, kind, node, bytes } of list) {
      const below = list.filter((one) => one.parent === node && one.node !== node);
      if (kind !== 0 || below.length === 0) continue;
      const sum = below.reduce((sum, one) => sum + one.bytes, 0);
      expect(sum, `what is below ${name} in snapshot ${number}`).toBe(bytes);
    }
    const unexplained = list.find(({ kind, parent }) => kind === 2 && parent === 0);
    expect(unexplained?.bytes, `unexplained in snapshot ${number}`).toBe(held(snapshot.at_ns / 1e9).scratch + 5 * MIB);
  }
});

test("types and pinned memory are those of memprof info", async ({ page, open }) => {
  await open("pinned");
  await page.locator("#answer button", { hasText: "40.0 MiB" }).click();
  await settled(page);
  await settled(page);
  await expect(page.getByRole("heading", { name: "Pinned memory" })).toBeFocused();
  const tables = await page.locator("#pane-places section").evaluateAll((sections) =>
    sections.map((section) => ({
      title: section.querySelector("h3")?.textContent,
      about: section.querySelector("p")?.textContent,
      rows: [...section.querySelectorAll("tbody tr")].map((row) =>
        [...row.children].map((cell) => cell.textContent.replaceAll("\u00a0", " ")),
      ),
    })),
  );
  expect(tables.map(({ title }) => title)).toEqual(["Call sites", "By type", "Pinned memory"]);
  expect(tables[1].rows).toEqual([
    ["Vec<shop::Order>", "20.0 MiB ± 2.0 MiB", "83.3 %"],
    ["of unknown type", "4.0 MiB ± 1003.5 KiB", "16.7 %"],
  ]);
  expect(tables[2].rows.map((row) => row.slice(2))).toEqual([
    ["19.3 MiB to 41.9 MiB", "–", "outside operations"],
    ["0 B to 15.7 MiB", "orders", "load"],
  ]);
  const info = printed("info", "pinned").replace(/\s+/g, " ");
  for (const [name, ...figures] of tables[1].rows) expect(info).toContain([...figures, name].join(" "));
  for (const [name, ...figures] of tables[2].rows) {
    expect(info).toContain(figures.slice(0, 2).join(" "));
    expect(info).toContain(name);
  }
  const about = plain(tables[2].about).replace(", at 1.0 s", "");
  expect(`${info}.`).toContain(about.replace(/\.$/, ""));
});

test("the tree of a profile lists who keeps shared memory alive", async ({ page, open }) => {
  await open("shared");
  const list = page.locator("#pane-tree ul");
  expect((await list.locator("li").allInnerTexts()).map(plain)).toEqual([
    "3.0 MiB in 4 allocations at app;cache: held by app;cache (4 handles) and app;index (2 handles); dropping app frees 4.0 MiB of shared memory",
  ]);
  await open("profile");
  await expect(list, "a usual profile has no such list").toBeHidden();
});

test("the tree of a checkpoint lists who keeps shared memory alive", async ({ page, open }) => {
  await open("held");
  await set(page, { pane: "tree", shown: 1 });
  const list = page.locator("#pane-tree ul");
  const line =
    "3.0 MiB in 4 allocations at app;cache: held by app;a_long_name_of_a_field_that_holds_pages (4 handles), app;cache (4 handles) and 2 other paths; dropping the value does not free it (1 handle outside)";
  expect((await list.locator("li").allInnerTexts()).map(plain)).toEqual([line]);
  expect(printed("info", "held").replace(/\s+/g, " ")).toContain(line);
  await set(page, { pane: "tree", shown: 0 });
  await expect(list.locator("li")).toHaveCount(0);
  await expect(page.getByText("Lists are recorded at checkpoints")).toBeVisible();
});

for (const name of ["everything", "resident", "unknown"]) {
  test(`the page of ${name} has no table of types or pinned memory`, async ({ page, open }) => {
    await open(name);
    await set(page, { pane: "places" });
    await expect(page.getByRole("heading", { name: /By type|Pinned memory/ })).toHaveCount(0);
    await expect(page.locator("#answer")).not.toContainText("pinned");
  });
}

test("a range makes the operations' table from its calls", async ({ page, open }) => {
  await open("everything");
  const file = recording("everything");
  const all: Call[] = file.operation_events.rows;
  // One range covers everything, one lies between calls, and one ends within a call, which it
  // must not include.
  const within = all.find(([path, , start]) => path === 4 && start > 20e9) as Call;
  for (const [from, to] of [
    [0, 60e9],
    [10e9, 30e9],
    [10e9, Math.floor((within[2] + within[3]) / 2)],
  ]) {
    await set(page, { range: { from, to }, pane: "operations" });
    const rows = await page.evaluate(() => window.__memprof.panes.debug.rows("operations"));
    for (const { path, names } of file.operation_paths) {
      const calls = all.filter(([of, , , end]) => of === path && end >= from && end <= to);
      if (calls.length === 0) continue;
      const total = calls.reduce((sum, call) => sum + call[4], 0);
      const changes = await page.evaluate(
        (amounts) => amounts.map((one) => window.__memprof.units.change(one)),
        [total, total / calls.length],
      );
      const found = rows.filter((row) => row[0].endsWith(names.at(-1))).map((row) => row.slice(1, 4).map(plain));
      expect(found, `${names.join(" › ")} from ${from} to ${to}`).toContainEqual([
        grouped(calls.length),
        ...changes.map(plain),
      ]);
    }
  }
});
