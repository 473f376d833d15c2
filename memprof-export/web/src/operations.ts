/** The operations with the net bytes of all their calls, or only of the calls that ended in a
 * range. */

import * as Dom from "./dom";
import { make, put } from "./dom";
import * as Found from "./found";
import * as Palette from "./palette";
import type { Pane } from "./pane";
import type { PageData } from "./page_data";
import * as State from "./state";
import type { Sort } from "./table";
import * as Table from "./table";
import * as Units from "./units";

const DEEPEST = 16;

/** An operation with the figures of its calls; `null` where unknown. */
interface Row {
  path: string;
  where: string;
  calls: number | null;
  total: number | null;
  average: number | null;
  max: number | null;
  timeNs: number | null;
  allocated: number | null;
  peak: number | null;
  retained: Contents.Estimate | null;
  /** The depth in the table; `null` in a flat order. */
  depth?: number | null;
  /** `true` for an operation without figures, above others that have them. */
  bare?: boolean;
}

/** The figures of an operation without data. */
const UNKNOWN = {
  where: "",
  calls: null,
  total: null,
  average: null,
  max: null,
  timeNs: null,
  allocated: null,
  peak: null,
  retained: null,
};

/** The sums of each path's calls, by index of the path. */
interface Sums {
  calls: Float64Array;
  total: Float64Array;
  max: Float64Array;
  time: Float64Array;
  /** The index of each path's longest call; -1 for none. */
  longest: Float64Array;
}

/** An operation, and those below it. */
interface Node {
  row: Row;
  below: Node[];
}

/** Sums up the calls that end in a range, one row for each path, with the longest call of
 * each. */
const within = (data: PageData, from: number, to: number): Sums => {
  const { count, path, start, duration, delta } = data.calls;
  const paths = data.paths.length;
  const [calls, total, max, time, longest] = [0, 0, -Infinity, 0, -1].map((value) =>
    new Float64Array(paths).fill(value),
  );
  for (let call = 0; call < count; call += 1) {
    const end = start[call] + duration[call];
    if (!(end >= from && end <= to)) continue;
    const of = path[call];
    calls[of] += 1;
    total[of] += delta[call];
    time[of] += duration[call];
    if (delta[call] > max[of]) max[of] = delta[call];
    if (longest[of] < 0 || duration[call] > duration[longest[of]]) longest[of] = call;
  }
  return { calls, total, max, time, longest };
};

const rowsOfRange = (data: PageData, sums: Sums): Row[] =>
  data.paths.flatMap((path, of) =>
    sums.calls[of] === 0
      ? []
      : [
          {
            ...UNKNOWN,
            path: path.whole,
            where: path.where,
            calls: sums.calls[of],
            total: sums.total[of],
            average: sums.total[of] / sums.calls[of],
            max: sums.max[of],
            timeNs: sums.time[of],
          },
        ],
  );

/** Returns rows as a tree: each row is below the operation in which it ran, which is added if
 * missing. An operation without data has no figures. `rowsByPath` has all rows by path. */
const asTree = (rows: Row[], chosen: Sort, rowsByPath: Map<string, Row>) => {
  const nodes = new Map<string, Node>();
  const roots: Node[] = [];
  const place = (path: string): Node => {
    let node = nodes.get(path);
    if (node) return node;
    const cut = path.lastIndexOf(";");
    node = { row: rowsByPath.get(path) ?? { ...UNKNOWN, path, bare: true }, below: [] };
    nodes.set(path, node);
    (cut < 0 ? roots : place(path.slice(0, cut)).below).push(node);
    return node;
  };
  for (const row of rows) place(row.path);
  const value = (node: Node): string | number =>
    chosen.key === "path"
      ? node.row.path
      : (node.row.total ?? Math.max(...node.below.map((one) => Number(value(one)))));
  const list: Row[] = [];
  const walk = (siblings: Node[], depth: number) => {
    const keyed = siblings.map((node) => ({ key: value(node), node }));
    keyed.sort(
      (one, other) =>
        Table.compare(one.key, other.key, chosen.down) ||
        (other.node.row.allocated ?? 0) - (one.node.row.allocated ?? 0),
    );
    for (const { node } of keyed) {
      list.push(Object.assign(node.row, { depth }));
      walk(node.below, depth + 1);
    }
  };
  walk(roots, 0);
  return list;
};

const name = (row: Row, index: number | undefined) => {
  const names = row.path.split(";");
  const swatch = make("span", {
    class: "swatch",
    "aria-hidden": "true",
    style: index === undefined ? {} : { background: Palette.operation(index) },
  });
  const text = [swatch, Found.path(row.depth === null ? names : names.slice(-1))];
  return make(
    "span",
    { class: "line", style: { "padding-left": `${Math.min(row.depth ?? 0, DEEPEST) * 14}px` } },
    row.bare ? text : Dom.button(text, () => undefined, { class: "plain" }),
  );
};

const columns = (index: Map<string, number>) => {
  const amount = (
    key: "calls" | "total" | "average" | "max" | "peak" | "allocated" | "timeNs",
    show: (value: number) => string,
    hint: string,
    narrow?: number,
  ) => {
    const column = Table.bytes<Row>(key, key, { hint, narrow });
    const figures = Table.figures<Row>(key, key, show, { hint, narrow });
    return { ...figures, text: (row: Row) => (row.bare ? "" : figures.text(row)), exact: column.exact };
  };
  const all: Table.Column<Row>[] = [
    {
      ...Table.names("path", "operation", (row: Row) => row.path.split(";")),
      cell: (row: Row) => name(row, index.get(row.path)),
      text: (row: Row) =>
        typeof row.depth === "number" ? "  ".repeat(row.depth) + row.path.split(";").pop() : row.path,
      exact: (row: Row) => [row.path.replaceAll(";", " › "), row.where].filter(Boolean).join("\n"),
    },
    { ...amount("calls", Units.grouped, "Number of calls that ended"), exact: null },
    amount("total", Units.change, "Net bytes of all calls, each counted on its own thread: allocated minus freed"),
    amount("average", Units.change, "Average net bytes of a call", 1),
    amount("max", Units.change, "Largest net bytes of a call", 2),
    amount("peak", Units.bytes, "Peak of live bytes during a call, beyond those live at its start", 1),
    amount("allocated", Units.bytes, "Bytes that all calls allocated", 2),
    {
      ...amount("timeNs", Units.span, "Total duration of all calls", 1),
      title: "time",
      exact: (row: Row) => (row.timeNs !== null && row.timeNs > 0 ? Units.moment(row.timeNs) : null),
    },
    {
      ...Table.estimate("retained", "retained", {
        narrow: 2,
        hint: "Live bytes that the operation allocated itself: an estimate from samples",
      }),
      text: (row) => (row.bare ? "" : Units.estimate(row.retained)),
    },
  ];
  return all;
};

const table = (
  data: PageData,
  keys: string[],
  index: Map<string, number>,
  pick: (row: Row) => void,
  rowsByPath: () => Map<string, Row>,
  none: string,
) => {
  const all = columns(index);
  const order = (rows: Row[], chosen: Sort, limit: number) => {
    const column = all.find((one) => one.key === chosen.key);
    const top = [...rows]
      .sort((one, other) => Table.compare(column?.value?.(one), column?.value?.(other), chosen.down))
      .slice(0, limit);
    if (chosen.key === "path" || chosen.key === "total") return asTree(top, chosen, rowsByPath());
    for (const row of top) row.depth = null;
    return top;
  };
  const current = (row: Row) =>
    State.now.call >= 0 && index.get(row.path) === data.calls.path[State.now.call] ? "current" : null;
  return Table.build<Row>({
    label: "Operations",
    columns: keys.flatMap((key) => all.filter((column) => column.key === key)),
    sort: { key: "total", down: true },
    order,
    pick,
    mark: current,
    matches: (row: Row) => Found.has(row.path),
    none,
  });
};

const frameworks = () =>
  Table.build<Contents.Framework>({
    label: "Operations of frameworks",
    sort: { key: "cpuNs", down: true },
    matches: (row) => Found.has(row.name),
    columns: [
      Table.names("name", "framework operation", (row) => [row.name]),
      Table.figures("calls", "calls", Units.grouped),
      Table.figures("cpuNs", "CPU time", Units.span),
      Table.figures("deviceNs", "device time", Units.span, { narrow: 1 }),
      Table.bytes("cpuBytes", "CPU memory", { narrow: 1 }),
      Table.bytes("deviceBytes", "device memory", { narrow: 2 }),
      Table.textColumn("shapes", "shapes", { narrow: 2 }, (row) => row.shapes ?? "unknown"),
    ],
  });

export const build = (data: PageData, element: HTMLElement): Pane => {
  const index = new Map(data.paths.map((path, at) => [path.whole, at]));
  let sums: Sums | null = null;
  let everything: Sums | null = null;
  let rowsInRange = new Map<string, Row>();
  const pick = (row: Row) => {
    if (row.bare) return;
    sums ??= everything ??= within(data, -Infinity, Infinity);
    const of = index.get(row.path);
    const call = of === undefined ? -1 : sums.longest[of];
    if (call < 0) {
      about.textContent = `The page has no calls of ${row.path.replaceAll(";", " › ")}.`;
      Dom.announce(about.textContent);
      return;
    }
    const { start, duration, delta } = data.calls;
    const margin = Math.max(duration[call] * 0.5, 500);
    State.set({
      call,
      from: Math.max(0, start[call] - margin),
      to: Math.min(data.end, start[call] + duration[call] + margin),
    });
    Dom.announce(
      `The longest call of ${row.path}: ${Units.span(duration[call])}, ${Units.change(delta[call])}, at ${Units.moment(start[call])}`,
    );
  };
  const missing = (["timeNs", "retained"] as const).filter((key) => data.operations.every((row) => row[key] === null));
  const keys = ["path", "calls", "total", "average", "max", "peak", "allocated", "timeNs", "retained"].filter(
    (key) => !missing.some((one) => one === key),
  );
  const everyRow = new Map(data.operations.map((row) => [row.path, row]));
  const none =
    data.began === null
      ? "A profile has no operations. A session records them."
      : data.calls.count > 0 || (data.tracked && !data.summedUp)
        ? `Unknown: the file ends before the totals of all calls were written.${data.calls.count > 0 ? " To see the totals of the calls in a range, select one, for example with the key R." : ""}`
        : data.tracked
          ? "No call of an operation has ended yet."
          : 'Unknown: operations were not counted. To count them, use memprof\'s allocator and name parts of the program with `memprof::operation!("name")`.';
  const whole = table(data, keys, index, pick, () => everyRow, none);
  const part = table(
    data,
    ["path", "calls", "total", "average", "max", "timeNs"],
    index,
    pick,
    () => rowsInRange,
    "No call in this page ended in this range.",
  );
  const about = make("p", { class: "faint" });
  const clear = Dom.button("All calls", () => State.set({ range: null }));
  const of = data.frameworks.length > 0 ? frameworks() : null;
  put(
    element,
    make("div", { class: "heading" }, [about, clear]),
    whole.element,
    part.element,
    of && [make("h3", {}, "Reported by frameworks"), of.element],
  );

  const draw = () => {
    const { range } = State.now;
    whole.element.hidden = range !== null;
    part.element.hidden = clear.hidden = range === null;
    if (range) {
      sums = within(data, range.from, range.to);
      const rows = rowsOfRange(data, sums);
      const count = rows.reduce((sum, row) => sum + (row.calls ?? 0), 0);
      about.textContent = `Totals of ${count === 1 ? "the 1 call" : `the ${Units.grouped(count)} calls`} in this page that ended from ${Units.span(range.from)} to ${Units.span(range.to)}. Calls that the session or the page left out are not counted. Peak, allocated and retained are known only for all calls together.`;
      rowsInRange = new Map(rows.map((row) => [row.path, row]));
      part.show(rows);
    } else {
      sums = everything;
      about.textContent =
        data.operations.length === 0
          ? ""
          : [
              "Exact counts of all calls. Choose an operation to see its longest call.",
              missing.includes("timeNs") && "Durations are unknown: the calls were not timed.",
              missing.includes("retained") && "Retained bytes are unknown: no samples were taken.",
            ]
              .filter(Boolean)
              .join(" ");
      whole.show(data.operations);
    }
    of?.show(data.frameworks);
  };
  State.on(["call"], () => (State.now.range ? part : whole).remark());
  return {
    keys: ["units", "theme", "range", "find"],
    draw,
    found: () =>
      data.operations.filter((row) => Found.has(row.path)).length +
      data.frameworks.filter((row) => Found.has(row.name)).length,
  };
};
