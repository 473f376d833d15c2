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

/** The bytes of a path; `null` where a tree lacks it. The bounds are bits of `Bound`. */
interface Amounts {
  before: number | null;
  after: number | null;
  boundsBefore: number;
  boundsAfter: number;
}

interface Figures extends Amounts {
  frames: string[];
}

const change = ({ before, after }: Amounts) => (after ?? 0) - (before ?? 0);
const isDoubtful = ({ before, after, boundsBefore, boundsAfter }: Amounts) =>
  Nodes.isDoubtful(before ?? 0, after ?? 0, boundsBefore, boundsAfter);
const kind = (row: Amounts) => {
  if (isDoubtful(row)) return "unknown";
  if (row.before === null || row.after === null) return row.before === null ? "new" : "gone";
  return row.after > row.before ? "grown" : "shrunk";
};

/** Formats a change: `unknown` if its sign is. */
const changeText = (row: Amounts, format = Units.change) => (isDoubtful(row) ? "unknown" : format(change(row)));
const amountText = (bytes: number | null, bounds: number) => (bytes === null ? NONE : Units.bounded(bytes, bounds));

/** Formats the growth: as a share of the value before, or as a factor. */
const growth = (row: Amounts) => {
  const { before, after } = row;
  if (before === null || after === null || isDoubtful(row) || !(before > 0)) return NONE;
  if (after >= 10 * before) return `×${Units.grouped(Math.round(after / before))}`;
  return `${after > before ? "+" : after < before ? "−" : "±"}${Units.percent(Math.abs(after - before), before)}`;
};

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
    const { at, own } = this.shape.before;
    return at[this.at] < 0 ? null : own[this.at];
  }
  get after() {
    const { at, own } = this.shape.after;
    return at[this.at] < 0 ? null : own[this.at];
  }
  get boundsBefore() {
    return this.shape.before.bounds[this.at];
  }
  get boundsAfter() {
    return this.shape.after.bounds[this.at];
  }
  get frames() {
    return Nodes.above(this.shape, this.at).map((one) => Nodes.name(this.shape, one));
  }
}

/** Returns the bytes at and below a position. */
const allBelow = ({ before, after }: DifferenceShape, at: number): Amounts => ({
  before: before.at[at] < 0 ? null : before.bytes[at],
  after: after.at[at] < 0 ? null : after.bytes[at],
  boundsBefore: before.boundsBelow[at],
  boundsAfter: after.boundsBelow[at],
});

const paint = (shape: DifferenceShape, at: number): Paint => {
  const row = allBelow(shape, at);
  const [before, after] = [row.before ?? 0, row.after ?? 0];
  const larger = Math.max(before, after);
  if (!(larger > 0) || before === after || isDoubtful(row)) return { color: "--same", strength: 1, hatched: 0 };
  const part = Math.abs(after - before) / larger;
  return {
    color: after > before ? "--grown" : "--shrunk",
    strength: 0.16 + 0.34 * part,
    hatched: after < before ? part : 0,
  };
};

const describe = (shape: DifferenceShape, at: number): { title: string; rows: [string, string][] } => {
  const row = allBelow(shape, at);
  return {
    title: Nodes.path(shape, at).replaceAll(";", " › "),
    rows: [
      ["change", changeText(row)],
      ["exactly", changeText(row, Units.exact)],
      ["before", row.before === null ? "absent" : Units.bounded(row.before, row.boundsBefore)],
      ["after", row.after === null ? "absent" : Units.bounded(row.after, row.boundsAfter)],
      ["growth", growth(row)],
    ],
  };
};

const sum = (name: string, rows: Figures[]): Figures => {
  const all = { frames: [name], before: 0, after: 0, boundsBefore: 0, boundsAfter: 0 };
  for (const row of rows) {
    all.before += row.before ?? 0;
    all.after += row.after ?? 0;
    all.boundsBefore |= row.boundsBefore;
    all.boundsAfter |= row.boundsAfter;
  }
  return all;
};

const columns = (): Table.Column<Change>[] => {
  const amount = (key: "before" | "after", bounds: "boundsBefore" | "boundsAfter"): Table.Column<Change> => ({
    ...Table.bytes<Change>(key, key, { narrow: 1 }),
    text: (row) => amountText(row[key], row[bounds]),
  });
  return [
    Table.names<Change>("path", "path", (row) => row.frames),
    {
      key: "change",
      title: "change",
      number: true,
      text: (row) => changeText(row),
      exact: (row) => changeText(row, Units.exact),
      value: (row) => Math.abs(change(row)),
    },
    {
      ...amount("before", "boundsBefore"),
      cell: (row) => [amountText(row.before, row.boundsBefore), make("span", { class: "faint" }, " →")],
    },
    amount("after", "boundsAfter"),
    {
      key: "growth",
      title: "growth",
      number: true,
      narrow: 1,
      text: growth,
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
      ["same", "unchanged or unknown"],
    ].map(([name, text]) => make("span", {}, [make("span", { class: `swatch ${name}`, "aria-hidden": "true" }), text])),
  );
  const icicle = Icicle.build({
    label: "Changes between the two snapshots; a width is the larger amount of both",
    paint,
    describe,
  });
  let all: Amounts = { before: 0, after: 0, boundsBefore: 0, boundsAfter: 0 };
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
        changeText(row),
        amountText(row.before, row.boundsBefore),
        amountText(row.after, row.boundsAfter),
        growth(row),
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
    const [boundsBefore, boundsAfter] = forms.map(({ boundsBelow }) => boundsBelow[0] ?? 0);
    all = { before: forms[0].total, after: forms[1].total, boundsBefore, boundsAfter };
    const kinds = { new: 0, gone: 0, grown: 0, shrunk: 0, unknown: 0 };
    for (const row of rows) kinds[kind(row)] += 1;
    const counts = Object.entries(kinds).filter(([, count]) => count > 0);
    found = Found.isActive() ? Nodes.search(shape, State.now.find) : null;
    const [was, is] = pair.map((index) => report.tree(index)?.verdict ?? "unknown");
    put(
      verdict,
      make("b", { title: changeText(all, Units.exact) }, changeText(all)),
      ` (${growth(all)}): ${amountText(all.before, boundsBefore)} → ${amountText(all.after, boundsAfter)} · `,
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
