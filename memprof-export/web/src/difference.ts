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
import type { PageData } from "./page_data";
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

/** Returns the bytes right at a position, or those at and below it. */
const amounts = ({ before, after }: DifferenceShape, at: number, extent: "own" | "below"): Amounts => {
  const isOwn = extent === "own";
  const bytes = (side: Nodes.Side) => (side.at[at] < 0 ? null : (isOwn ? side.own : side.bytes)[at]);
  const bounds = (side: Nodes.Side) => (isOwn ? side.bounds : side.boundsBelow)[at];
  return { before: bytes(before), after: bytes(after), boundsBefore: bounds(before), boundsAfter: bounds(after) };
};

const paint = (shape: DifferenceShape, at: number): Paint => {
  const row = amounts(shape, at, "below");
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
  const row = amounts(shape, at, "below");
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

const sum = (rows: Amounts[]): Amounts => {
  const all = { before: 0, after: 0, boundsBefore: 0, boundsAfter: 0 };
  for (const row of rows) {
    all.before += row.before ?? 0;
    all.after += row.after ?? 0;
    all.boundsBefore |= row.boundsBefore;
    all.boundsAfter |= row.boundsAfter;
  }
  return all;
};

/** Returns the columns of a table of positions. There may be a row for each node, and most are never shown, so
 * each cell reads its figures only when they are needed. */
const columns = (shape: () => DifferenceShape): Table.Column<number>[] => {
  const of = (at: number) => amounts(shape(), at, "own");
  const amount = (key: "before" | "after", bounds: "boundsBefore" | "boundsAfter"): Table.Column<number> => ({
    key,
    title: key,
    number: true,
    narrow: 1,
    value: (at) => of(at)[key],
    text: (at) => amountText(of(at)[key], of(at)[bounds]),
    exact: (at) => Units.exact(of(at)[key]),
  });
  const before = amount("before", "boundsBefore");
  return [
    Table.names("path", "path", (at) => Nodes.above(shape(), at).map((one) => Nodes.name(shape(), one))),
    {
      key: "change",
      title: "change",
      number: true,
      text: (at) => changeText(of(at)),
      exact: (at) => changeText(of(at), Units.exact),
      value: (at) => Math.abs(change(of(at))),
    },
    { ...before, cell: (at) => [before.text(at), make("span", { class: "faint" }, " →")] },
    amount("after", "boundsAfter"),
    {
      key: "growth",
      title: "growth",
      number: true,
      narrow: 1,
      text: (at) => growth(of(at)),
      value: (at) => {
        const { before, after } = of(at);
        return before !== null && before > 0 ? (after ?? 0) / before : null;
      },
    },
    {
      ...Table.textColumn<number>("kind", "kind", {}, (at) => kind(of(at))),
      cell: (at) => make("span", { class: `kind ${kind(of(at))}` }, kind(of(at))),
    },
  ];
};

export const build = (data: PageData, element: HTMLElement): Pane => {
  const trees = data.snapshots.filter((snapshot) => snapshot.hasTree).length;
  if (trees < 2) {
    put(
      element,
      make(
        "p",
        { class: "empty" },
        Dom.prose(
          trees === 0
            ? "No snapshot in this page has a tree, so there is nothing to compare."
            : data.began === null
              ? "This page has one profile, so there is nothing to compare. To compare two files, run `memprof diff BEFORE AFTER`."
              : 'Only one snapshot in this page has a tree, and a comparison needs two. A session takes a snapshot every few seconds and at each call of `session.checkpoint("name")`.',
        ),
      ),
    );
    return { keys: [], draw: () => undefined, found: () => 0 };
  }
  const [before, after] = [Chooser.build(data, "Before", "before"), Chooser.build(data, "After", "shown")];
  const details = make("input", { type: "checkbox", onchange: () => draw() });
  const swap = Dom.button("⇄ Swap", () => {
    State.set({ before: after.draw(), shown: before.draw() });
    Dom.announce("Swapped before and after");
  });
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
    label: "Changes between the two snapshots; each width is the larger of the two amounts",
    paint,
    describe,
  });
  let all: Amounts = { before: 0, after: 0, boundsBefore: 0, boundsAfter: 0 };
  let found: Search | null = null;
  const table = Table.build<number>({
    label: "Changes by path",
    columns: columns(() => merged().shape),
    sort: { key: "change", down: true },
    matches: (at) => found?.within[at] === 1,
    none: "No path changed.",
    foot: (shown, rows) => {
      const listed = new Set(shown);
      const rest = rows.filter((at) => !listed.has(at));
      const { shape } = merged();
      const cells = (name: string, row: Amounts) => [
        name,
        changeText(row),
        amountText(row.before, row.boundsBefore),
        amountText(row.after, row.boundsAfter),
        growth(row),
        "",
      ];
      const others = sum(rest.map((at) => amounts(shape, at, "own")));
      return [...(rest.length > 0 ? [cells(`…${Units.grouped(rest.length)} more`, others)] : []), cells("total", all)];
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
    const forms = pair.map((index) => Nodes.of(data.tree(index) ?? Nodes.NO_TREE, { details: details.checked }));
    const shape = Nodes.merge(forms[0], forms[1]);
    return { pair, forms, shape, rows: Nodes.changes(shape) };
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
    for (const at of rows) kinds[kind(amounts(shape, at, "own"))] += 1;
    const counts = Object.entries(kinds).filter(([, count]) => count > 0);
    found = Found.isActive() ? Nodes.search(shape, State.now.find) : null;
    const [was, is] = pair.map((index) => data.tree(index)?.verdict ?? "unknown");
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
      data.snapshots[pair[0]].at > data.snapshots[pair[1]].at &&
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
      return rows.filter((at) => within[at]).length;
    },
  };
};
