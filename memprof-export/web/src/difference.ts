/** The changes between two snapshots, by path. They add up to the change of the whole. */

import * as Chooser from "./chooser";
import * as Dom from "./dom";
import { make, put } from "./dom";
import * as Found from "./found";
import type { Paint } from "./icicle";
import * as Icicle from "./icicle";
import type { DifferenceShape, Search } from "./nodes";
import * as Nodes from "./nodes";
import type { Pane } from "./pane";
import type { PageData } from "./report";
import * as State from "./state";
import * as Table from "./table";
import * as Units from "./units";

const NONE = "–";

/** The bytes right at a path; `null` where a tree lacks it. */
interface Amounts {
  before: number | null;
  after: number | null;
}

interface Figures extends Amounts {
  frames: string[];
}

/** Formats the growth: as a share of the value before, or as a factor. */
const growth = (before: number | null, after: number | null) => {
  if (before === null || after === null) return NONE;
  if (before > 0 && after >= 10 * before) return `×${Units.grouped(Math.round(after / before))}`;
  if (!(before > 0)) return NONE;
  return `${after > before ? "+" : after < before ? "−" : "±"}${Units.percent(Math.abs(after - before), before)}`;
};

const kind = ({ before, after }: Amounts) =>
  before === null ? "new" : after === null ? "gone" : after > before ? "grown" : "shrunk";
const change = (row: Amounts) => (row.after ?? 0) - (row.before ?? 0);

/** The bytes right at a path before and after. There may be a `Change` for each node, and most
 * are never shown, so each one reads its figures only when they are needed. */
class Change implements Figures {
  shape: DifferenceShape;
  at: number;
  constructor(shape: DifferenceShape, at: number) {
    this.shape = shape;
    this.at = at;
  }
  get before() {
    return this.shape.was[this.at] < 0 ? null : this.shape.ownBefore[this.at];
  }
  get after() {
    return this.shape.is[this.at] < 0 ? null : this.shape.ownAfter[this.at];
  }
  get frames() {
    return Nodes.above(this.shape, this.at).map((one) => Nodes.name(this.shape, one));
  }
}

const paint = (shape: DifferenceShape, at: number): Paint => {
  const [before, after] = [shape.bytesBefore[at], shape.bytesAfter[at]];
  const larger = Math.max(before, after);
  if (!(larger > 0) || before === after) return { color: "--same", strength: 1, hatched: 0 };
  const part = Math.abs(after - before) / larger;
  return {
    color: after > before ? "--grown" : "--shrunk",
    strength: 0.16 + 0.34 * part,
    hatched: after < before ? part : 0,
  };
};

const describe = (shape: DifferenceShape, at: number): { title: string; rows: [string, string][] } => {
  const [before, after] = [shape.bytesBefore[at], shape.bytesAfter[at]];
  return {
    title: Nodes.path(shape, at).replaceAll(";", " › "),
    rows: [
      ["change", Units.change(after - before)],
      ["exactly", Units.exact(after - before)],
      ["before", shape.was[at] < 0 ? "absent" : Units.bytes(before)],
      ["after", shape.is[at] < 0 ? "absent" : Units.bytes(after)],
      ["growth", growth(before, after)],
    ],
  };
};

const sum = (name: string, rows: Figures[]) => {
  let before = 0;
  let after = 0;
  for (const row of rows) {
    before += row.before ?? 0;
    after += row.after ?? 0;
  }
  return { frames: [name], before, after };
};

const columns = (): Table.Column<Change>[] => {
  const amount = (key: "before" | "after") =>
    Table.figures<Change>(key, key, (bytes) => (bytes === null ? NONE : Units.bytes(bytes)), {
      exact: Units.exact,
      narrow: 1,
    });
  return [
    Table.names<Change>("path", "path", (row) => row.frames),
    {
      key: "change",
      title: "change",
      number: true,
      text: (row) => Units.change(change(row)),
      exact: (row) => Units.exact(change(row)),
      value: (row) => Math.abs(change(row)),
    },
    {
      ...amount("before"),
      cell: (row) => [row.before === null ? NONE : Units.bytes(row.before), make("span", { class: "faint" }, " →")],
    },
    amount("after"),
    {
      key: "growth",
      title: "growth",
      number: true,
      narrow: 1,
      text: (row) => (row.after === null ? NONE : growth(row.before, row.after)),
      value: (row) => (row.before !== null && row.before > 0 ? (row.after ?? 0) / row.before : null),
    },
    {
      ...Table.textColumn<Change>("kind", "kind", {}, kind),
      cell: (row) => make("span", { class: `kind ${kind(row)}` }, kind(row)),
    },
  ];
};

export const build = (report: PageData, element: HTMLElement): Pane => {
  const trees = report.snapshots.filter((snapshot) => snapshot.hasTree).length;
  if (trees < 2) {
    put(
      element,
      make(
        "p",
        { class: "empty" },
        Dom.prose(
          trees === 0
            ? "No snapshot in this page has a tree, so there is nothing to compare."
            : report.began === null
              ? "This page has one profile, so there is nothing to compare. To compare two files, run `memprof diff BEFORE AFTER`."
              : 'Only one snapshot in this page has a tree, and a comparison needs two. A session takes a snapshot every few seconds and at each call of `session.checkpoint("name")`.',
        ),
      ),
    );
    return { keys: [], draw: () => undefined, found: () => 0 };
  }
  const [before, after] = [Chooser.build(report, "Before", "before"), Chooser.build(report, "After", "shown")];
  const details = make("input", { type: "checkbox", onchange: () => draw() });
  const swap = make(
    "button",
    {
      type: "button",
      onclick: () => {
        State.set({ before: after.draw(), shown: before.draw() });
        Dom.announce("Swapped before and after");
      },
    },
    "⇄ Swap",
  );
  const verdict = make("p", { class: "verdict" });
  const legend = make(
    "p",
    { class: "colors" },
    [
      ["grown", "grown"],
      ["shrunk", "shrunk; the freed part is hatched"],
      ["same", "unchanged"],
    ].map(([name, text]) => make("span", {}, [make("span", { class: `swatch ${name}`, "aria-hidden": "true" }), text])),
  );
  const icicle = Icicle.build({
    label: "Changes between the two snapshots; a width is the larger amount of both",
    paint,
    describe,
  });
  let all = { before: 0, after: 0 };
  let found: Search | null = null;
  const table = Table.build<Change>({
    label: "Changes by path",
    columns: columns(),
    sort: { key: "change", down: true },
    matches: (row) => found?.within[row.at] === 1,
    none: "No path changed.",
    foot: (shown, rows) => {
      const listed = new Set(shown);
      const rest = rows.filter((row) => !listed.has(row));
      const lastRows: Figures[] = [
        ...(rest.length > 0 ? [sum(`…${Units.grouped(rest.length)} more`, rest)] : []),
        { frames: ["total"], ...all },
      ];
      return lastRows.map((row) => [
        row.frames[0],
        Units.change(change(row)),
        Units.bytes(row.before),
        Units.bytes(row.after),
        growth(row.before, row.after),
        "",
      ]);
    },
  });
  put(
    element,
    make("div", { class: "heading" }, [
      before.element,
      after.element,
      swap,
      make("label", { title: "Show the kinds of bytes: [data], [spare], [table] …" }, [details, "details"]),
    ]),
    verdict,
    legend,
    icicle.element,
    table.element,
  );

  const view = () => {
    const pair = [before.draw(), after.draw()];
    const forms = pair.map((index) => Nodes.of(report.tree(index) ?? Nodes.NO_TREE, { details: details.checked }));
    const shape = Nodes.merge(forms[0], forms[1]);
    return { pair, forms, shape, rows: Nodes.changes(shape).map((at) => new Change(shape, at)) };
  };
  let cache: (ReturnType<typeof view> & { key: string }) | null = null;
  const merged = () => {
    const key = `${[before.draw(), after.draw()]} ${details.checked}`;
    if (cache?.key !== key) cache = { key, ...view() };
    return cache;
  };

  const draw = () => {
    const { pair, forms, shape, rows } = merged();
    all = { before: forms[0].total, after: forms[1].total };
    const kinds = { new: 0, gone: 0, grown: 0, shrunk: 0 };
    for (const row of rows) kinds[kind(row)] += 1;
    const counts = Object.entries(kinds).filter(([, count]) => count > 0);
    found = Found.isActive() ? Nodes.search(shape, State.now.find) : null;
    const [was, is] = pair.map((index) => report.tree(index)?.verdict ?? "unknown");
    put(
      verdict,
      make("b", { title: Units.exact(all.after - all.before) }, Units.change(all.after - all.before)),
      ` (${growth(all.before, all.after)}): ${Units.bytes(all.before)} → ${Units.bytes(all.after)} · `,
      pair[0] === pair[1]
        ? "before and after are the same snapshot: choose another one"
        : rows.length === 0
          ? "no path changed"
          : `${Units.grouped(rows.length)} ${rows.length === 1 ? "path" : "paths"} changed: ${counts.map(([one, count]) => `${Units.grouped(count)} ${one}`).join(", ")}`,
      ` · ${was === is ? `${was} before and after` : `before ${was}, after ${is}`}`,
      report.snapshots[pair[0]].at > report.snapshots[pair[1]].at &&
        make("b", { class: "warn" }, " · “before” is later than “after”"),
    );
    icicle.show(shape);
    table.show(rows);
  };
  return {
    keys: ["units", "theme", "shown", "before", "find"],
    draw,
    icicle,
    // The comparison is computed only after the user opens the pane.
    found: () => {
      if (State.now.pane !== "difference") return 0;
      const { shape, rows } = merged();
      const { within } = Nodes.search(shape, State.now.find);
      return rows.filter((row) => within[row.at]).length;
    },
  };
};
