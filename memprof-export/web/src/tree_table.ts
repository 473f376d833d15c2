/** A tree as a table that unfolds. Only visible rows are in the page, for any number of rows. */

import * as Copy from "./copy";
import { make, put } from "./dom";
import * as Found from "./found";
import type { Search, TreeShape } from "./nodes";
import * as Nodes from "./nodes";
import * as Units from "./units";

// The height of a row and the number of visible rows; style-panes.css has the same values.
const ROW_HEIGHT = 28;
const VISIBLE_ROWS = 28;
const EXTRA_ROWS = 12;
const PRINTED_ROWS = 2000;
// The table lists the largest children of a node, and all children with at least this share of
// the whole.
const MIN_CHILDREN = 8;
const MIN_SHARE = 0.005;
const BATCH = 500;

/** A row: a node, or the children of a node that are not listed. */
interface Line {
  at: number;
  level: number;
  hidden: number[] | null;
}

export const build = (label: string) => {
  const open = new Set<number>();
  const full = new Map<number, number>();
  let shape = Nodes.of(Nodes.NO_TREE);
  let isFirst = true;
  let total = 0;
  let find: Search | null = null;
  let lines: Line[] = [];
  let focus = 0;
  let printing = false;
  const heads: [string, string | null][] = [
    ["name", null],
    ["bytes", "number"],
    ["share", "number"],
    ["allocations", "number narrow-1"],
  ];
  const body = make("tbody");
  const table = make("table", { role: "treegrid", "aria-label": label }, [
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        heads.map(([title, kind]) => make("th", { scope: "col", class: kind }, title)),
      ),
    ),
    body,
  ]);
  const box = make("div", { class: "rows" }, table);
  const out = make("p", { class: "left-out faint" }, [
    "Columns hidden at this width",
    make("span", { class: "out-1" }, " · allocations"),
  ]);
  const element = make("div", { class: "table tree-table" }, [
    box,
    out,
    make(
      "div",
      { class: "below" },
      Copy.button(() => {
        const rows = [
          { level: 0, text: heads.map(([title]) => title) },
          ...lines.map((line) => ({ level: line.level, text: cells(line) })),
        ];
        const turned = rows.map(({ level, text: [name, ...figures] }) => [...figures, "  ".repeat(level) + name]);
        return Copy.aligned(turned, [true, true, true, false]);
      }),
    ),
  ]);

  // Unfolded rows are stored by node, so that they stay unfolded in the next snapshot.
  const isOpen = (at: number) => open.has(shape.node[at]);

  /** Returns the listed children, and the hidden ones. */
  const listed = (at: number) => {
    const below = Nodes.children(shape, at);
    const limit = full.get(shape.node[at]) ?? 0;
    let shown = 0;
    while (
      shown < below.length &&
      (shown < Math.max(MIN_CHILDREN, limit) || (shape.bytes[below[shown]] >= total * MIN_SHARE && shown < BATCH))
    )
      shown += 1;
    if (below.length - shown === 1) shown += 1;
    const rest = Array.from(below.subarray(shown));
    const kept = new Set(
      rest
        .filter((one) => Nodes.kind(shape, one) === Nodes.UNEXPLAINED || find?.hit[one] || find?.opens[one])
        .slice(0, BATCH),
    );
    return {
      shown: [...below.subarray(0, shown), ...kept],
      hidden: kept.size > 0 ? rest.filter((one) => !kept.has(one)) : rest,
    };
  };

  const unfold = () => {
    lines = [];
    const walk = (at: number, level: number) => {
      lines.push({ at, level, hidden: null });
      if (!isOpen(at)) return;
      const { shown, hidden } = listed(at);
      for (const one of shown) walk(one, level + 1);
      if (hidden.length > 0) lines.push({ at, level: level + 1, hidden });
    };
    if (shape.count > 0) walk(0, 0);
    focus = Math.min(focus, Math.max(0, lines.length - 1));
  };

  const sum = (column: Float64Array, list: number[]) => {
    let all = 0;
    for (const one of list) all += column[one];
    return all;
  };
  const cells = ({ at, hidden }: Pick<Line, "at" | "hidden">) => {
    const bytes = hidden ? sum(shape.bytes, hidden) : shape.bytes[at];
    const bounds = hidden ? hidden.reduce((all, one) => all | shape.boundsBelow[one], 0) : shape.boundsBelow[at];
    const allocations = hidden ? sum(shape.allocations, hidden) : shape.allocations[at];
    return [
      hidden ? `…${Units.grouped(hidden.length)} more` : Nodes.name(shape, at),
      Units.bounded(bytes, bounds),
      Units.percent(bytes, total),
      Number.isNaN(allocations) ? "unknown" : Units.grouped(allocations),
    ];
  };

  const hint = (at: number) => {
    const kind = Nodes.kind(shape, at);
    if (kind === Nodes.SITE) return "A call site: its bytes are an estimate from samples.";
    if (kind === Nodes.UNEXPLAINED)
      return "Bytes in use that no root explains, for example values that are not registered with session.root.";
    return kind === Nodes.OTHERS ? "The sum of all names that are too small to list." : null;
  };

  const row = (line: Line, index: number) => {
    const { at, level, hidden } = line;
    const [name, bytes, share, allocations] = cells(line);
    const unfolds = !hidden && Nodes.childCount(shape, at) > 0;
    const exact = Units.exact(hidden ? sum(shape.bytes, hidden) : shape.bytes[at]);
    const part = total > 0 ? Math.max(0, (hidden ? sum(shape.bytes, hidden) : shape.bytes[at]) / total) : 0;
    const kind = hidden ? null : Nodes.kind(shape, at) === Nodes.UNEXPLAINED ? "unexplained" : null;
    return make(
      "tr",
      {
        class: kind,
        "aria-level": level + 1,
        "aria-rowindex": index + 2,
        tabindex: index === focus ? 0 : -1,
        "aria-expanded": unfolds ? String(isOpen(at)) : hidden ? "false" : null,
        onclick: () => {
          focus = index;
          toggle(true);
        },
        title: hidden ? "Select this row to list them" : hint(at),
      },
      [
        make(
          "td",
          { role: "rowheader" },
          make("span", { class: "name", style: { "padding-left": `${Math.min(level, 24) * 14}px` } }, [
            make("span", { class: "twist" }),
            make(
              "span",
              { class: hidden ? "cut faint" : "cut", title: hidden || hint(at) ? null : Nodes.path(shape, at) },
              hidden ? name : Found.marked(name),
            ),
          ]),
        ),
        make("td", { class: "number", title: exact }, bytes),
        make("td", { class: "number share", title: exact, style: { "--part": part } }, share),
        make("td", { class: "number narrow-1" }, allocations),
      ],
    );
  };

  const gap = (rows: number) =>
    rows > 0
      ? make(
          "tr",
          { class: "gap", "aria-hidden": "true" },
          make("td", { colspan: heads.length, style: { height: `${rows * ROW_HEIGHT}px` } }),
        )
      : null;
  let drawn = [-1, -1];
  const draw = (anew = true) => {
    const from = printing ? 0 : Math.max(0, Math.floor(box.scrollTop / ROW_HEIGHT) - EXTRA_ROWS);
    const to = printing
      ? Math.min(lines.length, PRINTED_ROWS)
      : Math.min(lines.length, from + VISIBLE_ROWS + 2 * EXTRA_ROWS);
    if (!anew && drawn[0] === from && drawn[1] === to) return;
    const focused = body.contains(document.activeElement);
    drawn = [from, to];
    put(
      body,
      gap(from),
      lines.slice(from, to).map((line, index) => row(line, from + index)),
      gap(lines.length - to),
    );
    table.setAttribute("aria-rowcount", String(lines.length + 1));
    if (focused) body.querySelector<HTMLElement>("[tabindex='0']")?.focus({ preventScroll: true });
  };
  box.addEventListener("scroll", () => draw(false));

  const reveal = () => {
    const [top, height] = [focus * ROW_HEIGHT, box.clientHeight - 2 * ROW_HEIGHT];
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top > box.scrollTop + height) box.scrollTop = top - height;
    draw();
    body.querySelector<HTMLElement>("[tabindex='0']")?.focus({ preventScroll: true });
  };

  const toggle = (flips: boolean, opens = false) => {
    const line = lines[focus];
    if (!line) return;
    if (line.hidden) full.set(shape.node[line.at], listed(line.at).shown.length + BATCH);
    else if (Nodes.childCount(shape, line.at) > 0) {
      const node = shape.node[line.at];
      if (flips ? isOpen(line.at) : !opens) open.delete(node);
      else open.add(node);
    }
    unfold();
    reveal();
  };

  body.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const line = lines[focus];
    if (!line) return;
    const page = Math.max(1, Math.floor(box.clientHeight / ROW_HEIGHT) - 2);
    const to = {
      ArrowDown: focus + 1,
      ArrowUp: focus - 1,
      Home: 0,
      End: lines.length - 1,
      PageDown: focus + page,
      PageUp: focus - page,
    }[event.key];
    if (to !== undefined) {
      focus = Math.max(0, Math.min(lines.length - 1, to));
      reveal();
    } else if (event.key === "Enter" || event.key === " ") toggle(true);
    else if (event.key === "ArrowRight" && !line.hidden && isOpen(line.at) && lines[focus + 1]?.level > line.level) {
      focus += 1;
      reveal();
    } else if (event.key === "ArrowRight") {
      if (!line.hidden) toggle(false, true);
    } else if (event.key === "ArrowLeft" && !line.hidden && isOpen(line.at) && Nodes.childCount(shape, line.at) > 0)
      toggle(false, false);
    else if (event.key === "ArrowLeft") {
      while (focus > 0 && lines[focus].level >= line.level) focus -= 1;
      reveal();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  addEventListener("beforeprint", () => {
    if (shape.count > 0 && element.offsetParent) {
      printing = true;
      draw();
    }
  });
  addEventListener("afterprint", () => {
    if (printing) {
      printing = false;
      draw();
    }
  });

  return {
    element,
    /** Shows a tree. `found` is the result of `Nodes.search`, or `null`. */
    show: (next: TreeShape, found: Search | null) => {
      shape = next;
      total = shape.total;
      find = found;
      if (shape.count > 0 && isFirst) {
        open.add(shape.node[0]);
        const largest = Nodes.children(shape, 0).find((at) => Nodes.childCount(shape, at) > 0);
        if (largest !== undefined) open.add(shape.node[largest]);
      }
      // Unexplained memory and matches of the search are never hidden in a folded row.
      let opened = 0;
      for (let at = 0; at < shape.count; at += 1) {
        if (find ? find.opens[at] && opened++ < BATCH : false) open.add(shape.node[at]);
        if (isFirst && Nodes.kind(shape, at) === Nodes.UNEXPLAINED)
          for (const up of Nodes.above(shape, at).slice(0, -1)) open.add(shape.node[up]);
      }
      isFirst = false;
      unfold();
      draw();
    },
  };
};
