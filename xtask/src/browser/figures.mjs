// The page shows the values of the file: figures, tooltips, pixels.

import { readFileSync } from "node:fs";
import { held } from "./sessions.mjs";
import { check, column, equal, open, painted, pixel, quiet, settled } from "./page.mjs";

/** Formats a number with its thousands separated, like the page. */
const grouped = (number) => (number < 0 ? "−" : "") + String(Math.abs(number)).replace(/\B(?=(\d{3})+(?!\d))/g, " ");
const plain = (text) => text.replaceAll("\u00a0", " ");
const tooltip = async (page) => plain(await page.locator("#tooltip").innerText());
const difference = (one, other) => Math.max(...one.map((part, at) => Math.abs(part - other[at])));

export const checks = {
  "amounts are written as memprof writes them elsewhere": async ({ browser, page }) => {
    // The tests of `Units` in memprof-profile and of the page's scripts read the same table.
    const cases = JSON.parse(readFileSync(new URL("../../../tests/data/units.json", import.meta.url), "utf8"));
    const opened = await open(browser, page("everything"));
    for (const [bytes, ...expected] of cases) {
      const found = await opened.page.evaluate((bytes) => ["iec", "si", "bytes"].map((units) => window.__memprof.units.bytes(bytes, units)), bytes);
      equal(found.map(plain), expected, `${bytes} bytes`);
    }
    await opened.close();
  },

  "every call in the page is the file's": async ({ browser, page, session }) => {
    const opened = await open(browser, page("everything"));
    const file = session("everything");
    const found = await opened.page.evaluate(() => {
      const { report } = window.__memprof;
      const { calls } = report;
      const rows = [];
      for (const lane of report.lanes) {
        for (let at = lane.first; at < lane.first + lane.count; at++) {
          rows.push([report.paths[calls.path[at]].whole, lane.thread, calls.start[at], calls.start[at] + calls.duration[at], calls.delta[at], calls.before[at], calls.after[at], Number.isNaN(calls.tensors[at]) ? null : calls.tensors[at]]);
        }
      }
      return rows;
    });
    const expected = file.operation_events.rows.map(([path, ...rest]) => [file.operation_paths[path].names.join(";"), ...rest]);
    const sorted = (rows) => rows.map((row) => JSON.stringify(row)).sort();
    equal(found.length, expected.length, "calls");
    equal(sorted(found), sorted(expected), "calls");
    quiet(opened.wrong);
    await opened.close();
  },

  "the tooltip of a call has the file's figures": async ({ browser, page, session }) => {
    const opened = await open(browser, page("everything"));
    const file = session("everything");
    await opened.page.locator(".lanes-title button").click();
    // The longest calls are wide enough for the pointer in any view.
    for (const [path, thread, start, end, delta] of file.operation_events.rows.filter((row) => row[3] - row[2] > 4e8)) {
      const names = file.operation_paths[path].names.join(";");
      const at = await opened.page.evaluate(([names, thread, start]) => {
        const { report } = window.__memprof;
        for (const lane of report.lanes) for (let at = lane.first; at < lane.first + lane.count; at++) {
          if (lane.thread === thread && report.calls.start[at] === start && report.paths[report.calls.path[at]].whole === names) return at;
        }
        return -1;
      }, [names, thread, start]);
      check(at >= 0, `${names} at ${start} is in the page`);
      await opened.page.evaluate(([from, to]) => { location.hash = ""; Object.assign(window.__memprof.state, {}); window.__memprof.set({ from, to }); }, [Math.max(0, start - 1e9), end + 1e9]);
      await settled(opened.page);
      await opened.page.locator("#time canvas").last().scrollIntoViewIfNeeded();
      const box = await opened.page.evaluate((at) => window.__memprof.time.debug.callRect(at), at);
      check(box !== null, `${names} is drawn`);
      await opened.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await settled(opened.page);
      const text = await tooltip(opened.page);
      for (const expected of [names.split(";").at(-1), grouped(Math.abs(delta)), grouped(Math.floor(start / 1e9)) + "." + String(start % 1e9).padStart(9, "0"), grouped(Math.floor(end / 1e9)) + "." + String(end % 1e9).padStart(9, "0")]) {
        check(text.includes(expected), `the tooltip of ${names} should have ${expected}: ${text}`);
      }
      const rows = await opened.page.evaluate(() => Object.fromEntries([...document.querySelectorAll("#tooltip dt")].map((label) => [label.textContent, label.nextElementSibling.textContent])));
      const moment = (ns) => `${grouped(Math.floor(ns / 1e9))}.${String(ns % 1e9).padStart(9, "0")} s`;
      const took = await opened.page.evaluate((ns) => window.__memprof.units.span(ns), end - start);
      equal([rows.start, rows.end, rows.duration].map(plain), [moment(start), moment(end), `${plain(took)} · ${grouped(end - start)} ns`], `start, end and time of ${names}`);
      const sign = delta > 0 ? "+" : delta < 0 ? "−" : "±";
      const threadName = file.thread_names.find((named) => named.thread === thread)?.name;
      equal(rows.thread, threadName === undefined ? `thread ${thread} (name unknown)` : `${threadName} (thread ${thread})`, `the thread of ${names}`);
      check(rows.change.startsWith(sign) && plain(rows.change).endsWith(` ${grouped(delta)} B`), `the change of ${names} is ${delta}: ${rows.change}`);
    }
    quiet(opened.wrong);
    await opened.close();
  },

  "a call is drawn where and in the colour the data says": async ({ browser, page }) => {
    const opened = await open(browser, page("everything"));
    await opened.page.evaluate(() => window.__memprof.set({ from: 0, to: 4e9 }));
    await settled(opened.page);
    await opened.page.locator("#time canvas").last().scrollIntoViewIfNeeded();
    const calls = await opened.page.evaluate(() => {
      const { report, time } = window.__memprof;
      return Array.from({ length: report.calls.count }, (_, at) => at).map((at) => ({ at, box: time.debug.callRect(at), colour: time.debug.colour(report.calls.path[at]) })).filter((one) => one.box && one.box.width > 20);
    });
    check(calls.length >= 3, `three calls are in view, found ${calls.length}`);
    for (const { box, colour } of calls) {
      const expected = await painted(opened.page, colour);
      // The points are just inside the call's edges, where there is no label.
      for (const x of [box.x + 2, box.x + box.width - 4]) {
        const found = await pixel(opened.page, x, box.y + 2);
        check(difference(found, expected) <= 12, `a call should be ${expected} at ${x - box.x} of ${box.width} px, found ${found}`);
      }
    }
    await opened.close();
  },

  "the curves go through the file's figures": async ({ browser, page }) => {
    const opened = await open(browser, page("everything"));
    const found = await opened.page.evaluate(() => {
      const chart = window.__memprof.report.charts[0];
      return chart.curves.map((curve) => ({ name: curve.name, times: [...curve.times], values: [...curve.values] }));
    });
    const live = found.find((curve) => curve.name === "live heap");
    check(live, `a curve of the live heap, found ${found.map((curve) => curve.name)}`);
    equal(live.times.length, 241, "points of the live heap");
    live.times.forEach((at, index) => equal(live.values[index], held(at / 1e9).live, `live heap at ${at}`));
    // On the screen, the area under the curve is filled and the area above is not.
    for (const second of [12.125, 33.125, 55.125]) {
      const point = await opened.page.evaluate((at) => window.__memprof.time.debug.curvePoint(window.__memprof.report.charts[0].title, "live heap", at), second * 1e9);
      const [above, below] = [await pixel(opened.page, point.x, point.y - 6), await pixel(opened.page, point.x, point.y + 6)];
      check(difference(above, below) > 5, `the area ends at ${second} s: ${above} above, ${below} below`);
    }
    // Where the curve falls steeply, an error of one point changes its position.
    for (const second of [9.875, 10.125]) {
      await opened.page.evaluate(() => window.__memprof.set({ from: 9e9, to: 11e9 }));
      await settled(opened.page);
      const point = await opened.page.evaluate((at) => window.__memprof.time.debug.curvePoint(window.__memprof.report.charts[0].title, "live heap", at), second * 1e9);
      const [above, below] = [await pixel(opened.page, point.x, point.y - 6), await pixel(opened.page, point.x, point.y + 6)];
      check(difference(above, below) > 5, `the area ends at ${second} s: ${above} above, ${below} below`);
    }
    // The values of the legend at the end of the view.
    for (const second of [9.875, 33.125]) {
      await opened.page.evaluate((to) => window.__memprof.set({ from: 0, to }), second * 1e9);
      await settled(opened.page);
      const text = await opened.page.evaluate(() => [...document.querySelectorAll(".legend button")].find((one) => one.title.endsWith(" live heap")).querySelector("b").title);
      equal(plain(text), `${grouped(held(Math.floor(second * 4) / 4).live)} B`, `the legend at ${second} s`);
    }
    // The driver did not answer at that time.
    await opened.page.evaluate(() => window.__memprof.set({ from: 20e9, to: 26e9 }));
    await settled(opened.page);
    const unknown = await opened.page.evaluate(() => [...document.querySelectorAll(".legend button")].filter((one) => one.title.endsWith(" gpu: used")).map((one) => one.querySelector("b").textContent));
    equal(unknown, ["unknown"], "the legend where the driver did not answer");
    quiet(opened.wrong);
    await opened.close();
  },

  "the peak is marked on the curve, where the file has most": async ({ browser, page }) => {
    const opened = await open(browser, page("everything"));
    const colour = await painted(opened.page, await opened.page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--warn")));
    const moments = Array.from({ length: 241 }, (_, number) => number / 4);
    const peak = moments.reduce((most, at) => (held(at).live > held(most).live ? at : most));
    for (const [from, to] of [[0, 60], [50, 60], [59.5, 60]]) {
      await opened.page.evaluate(([from, to]) => window.__memprof.set({ from, to }), [from * 1e9, to * 1e9]);
      await settled(opened.page);
      const point = await opened.page.evaluate((at) => window.__memprof.time.debug.curvePoint(window.__memprof.report.charts[0].title, "live heap", at), peak * 1e9);
      equal(point.value, held(peak).live, `live heap at ${peak} s`);
      // The mark is a triangle of 9 px on the curve. Its middle column is read, because its tip is
      // blurred.
      const top = Math.floor(point.y) - 40;
      const colours = await column(opened.page, point.x, top, 80);
      const rows = colours.flatMap((found, row) => (difference(found, colour) <= 12 ? [row + top - point.y] : []));
      check(Math.abs(rows[0] + 8) <= 1.5 && rows.at(-1) >= -4 && rows.at(-1) <= 1, `the peak's mark is on the curve, and 8 px high, from ${from} to ${to} s: found at ${rows.map((row) => row.toFixed(1))} of it`);
    }
    quiet(opened.wrong);
    await opened.close();
  },

  "the panes show the snapshots that are chosen": async ({ browser, page, session }) => {
    const opened = await open(browser, page("everything"));
    const file = session("everything");
    const snapshots = await opened.page.evaluate(() => window.__memprof.report.snapshots.map(({ number }, index) => {
      const { tree, nodes } = window.__memprof.report;
      const { total = null, nodes: list = [], bytes } = tree(index) ?? {};
      // The total includes the memory of devices that no root claims.
      return { number, index, total, unexplained: [...list].reduce((sum, node, at) => sum + (nodes.kind[node] === 2 ? bytes[at] : 0), 0) };
    }).filter((one) => one.total !== null));
    const look = async (changes) => { await opened.page.evaluate((changes) => window.__memprof.set(changes), changes); await settled(opened.page); };
    const bold = (pane) => opened.page.evaluate((pane) => [...document.querySelectorAll(`[role=tabpanel][id*=${pane}] b[title]`)].filter((one) => one.offsetParent).map((one) => [one.textContent, one.title]), pane);
    const [early, late] = [snapshots[3], snapshots[snapshots.length - 4]];
    check(early.total !== late.total, "two snapshots that differ");
    for (const { number, index, total, unexplained } of [early, late]) {
      const seconds = file.snapshots[number].at_ns / 1e9;
      const rest = `${grouped(held(seconds).scratch + 5 * 2 ** 20)} B`;
      await look({ pane: "tree", shown: index });
      const tree = (await bold("tree")).map(([, title]) => plain(title));
      equal(tree.slice(0, 2), [`${grouped(total)} B`, `${grouped(unexplained)} B`], `all and unexplained in the tree at ${seconds} s`);
      await look({ pane: "balance" });
      const [[text, title]] = await bold("balance");
      const short = await opened.page.evaluate((bytes) => window.__memprof.units.bytes(bytes), held(seconds).scratch + 5 * 2 ** 20);
      check(text === `Unexplained: ${short}. ` && plain(title) === rest, `unexplained is ${rest} at ${seconds} s: ${text} ${title}`);
      // Each bar except a sum begins at the end of the previous one.
      const bars = await opened.page.evaluate(() => [...document.querySelectorAll(".waterfall g")].filter((one) => one.querySelector(".bar")).map((one) => { const bar = one.querySelector(".bar"); return { kind: one.getAttribute("class"), from: Number.parseFloat(bar.getAttribute("x")), to: Number.parseFloat(bar.getAttribute("x")) + Number.parseFloat(bar.getAttribute("width")) }; }));
      for (let at = 1; at < bars.length; at++) if (bars[at].kind === "plus") check(Math.abs(bars[at].from - (bars[at - 1].kind === "less" ? bars[at - 1].from : bars[at - 1].to)) < 0.01, `bar ${at} begins where the one above ends: ${JSON.stringify(bars)}`);
    }
    for (const [before, after, sign] of [[early, late, "+"], [late, early, "−"]]) {
      await look({ pane: "difference", before: before.index, shown: after.index });
      const [[text, title]] = await bold("difference");
      check(text.startsWith(sign) && plain(title) === `${grouped(after.total - before.total)} B`, `the whole changed by ${after.total - before.total}: ${text} ${title}`);
      const rows = (await opened.page.evaluate(() => window.__memprof.panes.debug.rows("difference"))).filter((row) => row[0].startsWith("cache") || row[0].includes(" cache"));
      check(rows.length > 0 && rows.every((row) => row[1].startsWith(sign)), `the cache's paths all changed by ${sign}: ${JSON.stringify(rows).slice(0, 300)}`);
    }
    quiet(opened.wrong);
    await opened.close();
  },

  "the tree and the difference add up": async ({ browser, page, session }) => {
    const opened = await open(browser, page("everything"));
    const file = session("everything");
    const trees = await opened.page.evaluate(() => {
      const { report } = window.__memprof;
      return report.snapshots.map((snapshot, index) => {
        const tree = report.tree(index);
        return tree && { number: snapshot.number, total: tree.total, root: tree.bytes[0], nodes: [...tree.nodes].map((node, at) => [report.nodes.name[node], report.nodes.kind[node], report.nodes.parent[node], node, tree.bytes[at], tree.allocations[at]]) };
      }).filter(Boolean);
    });
    check(trees.length >= 5, `trees of the checkpoints and more, found ${trees.length}`);
    for (const tree of trees) {
      const snapshot = file.snapshots[tree.number];
      const roots = snapshot.roots.filter((root) => root.profile);
      for (const root of roots) {
        const node = tree.nodes.find(([name, , parent]) => name === root.name && parent === 0);
        equal(node?.[4], root.profile.total_bytes, `${root.name} in snapshot ${tree.number}`);
        const allocations = root.profile.branches.reduce((sum, branch) => sum + (branch.counts?.allocations ?? 0), 0);
        equal(node[5], allocations, `allocations of ${root.name} in snapshot ${tree.number}`);
      }
      // The bytes of a branch are the sum of its children.
      for (const [name, kind, , node, bytes] of tree.nodes) {
        const below = tree.nodes.filter((one) => one[2] === node && one[3] !== node);
        if (kind === 0 && below.length > 0) equal(below.reduce((sum, one) => sum + one[4], 0), bytes, `what is below ${name} in snapshot ${tree.number}`);
      }
      const unexplained = tree.nodes.find(([, kind, parent]) => kind === 2 && parent === 0);
      equal(unexplained?.[4], held(snapshot.at_ns / 1e9).scratch + 5 * 2 ** 20, `unexplained in snapshot ${tree.number}`);
    }
    await opened.close();
  },

  "a range makes the operations' table from its calls": async ({ browser, page, session }) => {
    const opened = await open(browser, page("everything"));
    const file = session("everything");
    // One range covers everything, one lies between calls, and one ends within a call, which it
    // must not include.
    const within = file.operation_events.rows.find((row) => row[0] === 4 && row[2] > 20e9);
    for (const [from, to] of [[0, 60e9], [10e9, 30e9], [10e9, Math.floor((within[2] + within[3]) / 2)]]) {
      await opened.page.evaluate((range) => window.__memprof.set({ range, pane: "operations" }), { from, to });
      await settled(opened.page);
      const rows = await opened.page.evaluate(() => window.__memprof.panes.debug.rows("operations"));
      for (const { path, names } of file.operation_paths) {
        const calls = file.operation_events.rows.filter((row) => row[0] === path && row[3] >= from && row[3] <= to);
        if (calls.length === 0) continue;
        const total = calls.reduce((sum, row) => sum + row[4], 0);
        const expected = await opened.page.evaluate(([total, average]) => [total, average].map((one) => window.__memprof.units.change(one)), [total, total / calls.length]);
        const wanted = [grouped(calls.length), ...expected.map(plain)];
        const found = rows.filter((row) => row[0].endsWith(names.at(-1))).map((row) => row.slice(1, 4).map(plain));
        check(found.some((cells) => JSON.stringify(cells) === JSON.stringify(wanted)), `${names.join(" › ")} from ${from} to ${to} has ${wanted}, found ${JSON.stringify(found)}`);
      }
    }
    await opened.close();
  },
};
