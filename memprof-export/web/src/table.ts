/** Tables whose headings sort. The first rows are shown at once, and all rows at the user's
 * request. */

import * as Copy from "./copy";
import type { Child } from "./dom";
import * as Dom from "./dom";
import { make, put } from "./dom";
import * as Found from "./found";
import * as Units from "./units";

const FIRST = 200;

export const unknown = (value: unknown) => value === null || value === undefined || Number.isNaN(value);
/** Compares two values. Unknown values come last in both directions. */
export const compare = (one: Value, other: Value, down: boolean) => {
  if (unknown(one) || unknown(other)) return Number(unknown(one)) - Number(unknown(other));
  const order =
    typeof one === "string" || typeof other === "string"
      ? String(one).localeCompare(String(other))
      : Number(one) - Number(other);
  return down ? -order : order;
};

/** A value to sort by. */
export type Value = string | number | null | undefined;

export interface Column<Row> {
  /** The name by which the table sorts; without one, the column does not sort. */
  key?: string;
  title: string;
  hint?: string;
  /** `true` for columns of figures. */
  number?: boolean;
  /** The width of the page below which the column is hidden: 1 is 640 px, 2 is 900 px. */
  narrow?: number;
  text: (row: Row) => string;
  value?: (row: Row) => Value;
  cell?: (row: Row) => Child;
  /** Returns the tooltip of a cell, such as its exact bytes. */
  exact?: ((row: Row) => string | null) | null | undefined;
}

export interface Sort {
  key: string;
  down: boolean;
}

export interface Parts<Row> {
  label: string;
  columns: Column<Row>[];
  sort?: Sort;
  /** Returns the rows in their order. Without it, rows are sorted by value. */
  order?: (rows: Row[], sort: Sort, limit: number) => Row[];
  /** Returns the unfolded part of a row. */
  open?: ((row: Row) => Child) | null;
  /** Returns the last rows. */
  foot?: (shown: Row[], all: Row[]) => string[][];
  /** Handles a click. */
  pick?: (row: Row) => void;
  /** Returns the id of a row's element, to which the page links. */
  id?: (row: Row) => string;
  /** Returns the CSS class of a row. */
  mark?: (row: Row) => string | null;
  /** Returns `true` if a row matches the search. */
  matches?: (row: Row) => boolean;
  /** The text of a table without rows. */
  none?: string;
}

export interface Table<Row> {
  element: HTMLElement;
  /** Shows new rows in the chosen order. */
  show(rows: Row[]): void;
  /** Updates the marks of rows, without building the rows again. */
  remark(): void;
}

/** Builds a table. */
export const build = <Row>({
  label,
  columns,
  sort,
  order,
  open,
  foot,
  pick,
  id,
  mark,
  matches,
  none,
}: Parts<Row>): Table<Row> => {
  let rows: Row[] = [];
  let shown: Row[] = [];
  let chosen: Sort = { key: "", down: false, ...sort };
  let whole = false;
  const opened = new Set<Row>();
  const place = (column: Column<Row>) =>
    [column.number && "number", column.narrow && `narrow-${column.narrow}`].filter(Boolean).join(" ") || null;

  const heads = columns.map((column) => {
    const { key } = column;
    const resort = () => {
      if (key === undefined) return;
      const same = chosen.key === key;
      chosen = { key, down: same ? !chosen.down : Boolean(column.number) };
      fill();
      Dom.announce(`Sorted by ${column.title}, ${chosen.down ? "largest" : "smallest"} first`);
    };
    return make(
      "th",
      { scope: "col", class: place(column), title: column.hint },
      sort && column.key ? Dom.button(column.title, resort, { class: "sort" }) : column.title,
    );
  });
  const [body, end] = [make("tbody"), make("tfoot")];
  const table = make("table", { class: pick ? "picks" : null }, [
    make("caption", { class: "quiet" }, label),
    make("thead", {}, make("tr", {}, heads)),
    body,
    end,
  ]);
  const more = Dom.button([], () => {
    whole = true;
    fill();
    body.rows[FIRST]?.querySelector("button")?.focus();
  });
  const left = columns.filter((column) => column.narrow);
  const note =
    left.length > 0 &&
    make("p", { class: "left-out faint" }, [
      "Columns hidden at this width",
      left.map((column) => make("span", { class: `out-${column.narrow}` }, ` · ${column.title}`)),
    ]);
  // The name comes last, so that a long name moves no figure.
  const turned = <T>([name, ...others]: T[]) => [...others, name];
  const text = () => {
    const cells = [
      columns.map((column) => column.title),
      ...shown.map((row) => columns.map((column) => column.text(row))),
      ...footRows(),
    ];
    return Copy.aligned(
      cells.map(turned),
      turned(columns).map((column) => Boolean(column.number)),
    );
  };
  const below = make("div", { class: "below" }, [more, Copy.button(text)]);
  const empty = make("p", { class: "empty" });
  const element = make("div", { class: "table" }, [table, note, below, empty]);

  const footRows = () => (foot ? foot(shown, rows) : []);
  const line = (row: Row) => {
    const toggle = (event: MouseEvent) => {
      event.stopPropagation();
      const closed = opened.delete(row);
      if (!closed) opened.add(row);
      const button = event.currentTarget as HTMLElement;
      button.setAttribute("aria-expanded", String(!closed));
      const under = button.closest("tr");
      if (closed) under?.nextElementSibling?.remove();
      else under?.after(inside(row));
    };
    const state = { class: "unfold", "aria-expanded": String(opened.has(row)), "aria-label": "Call stack" };
    const unfold = open?.(row) && Dom.button([], toggle, state);
    const cells = columns.map((column, index) =>
      make(
        index === 0 ? "th" : "td",
        {
          scope: index === 0 ? "row" : null,
          class: index === 0 && unfold ? "hangs" : place(column),
          title: column.exact?.(row),
        },
        [index === 0 && unfold, column.cell ? column.cell(row) : column.text(row)],
      ),
    );
    const made = make(
      "tr",
      {
        id: id?.(row),
        class: mark?.(row),
        onclick:
          pick &&
          (() => {
            if (String(getSelection()) === "") pick(row);
          }),
      },
      cells,
    );
    return opened.has(row) && unfold ? [made, inside(row)] : made;
  };
  const inside = (row: Row) => make("tr", { class: "inside" }, make("td", { colspan: columns.length }, open?.(row)));

  const fill = () => {
    const found = matches && Found.isActive() ? rows.filter(matches) : rows;
    const column = columns.find((one) => one.key === chosen.key);
    const limit = whole ? Infinity : FIRST;
    const sorted = () =>
      sort && column
        ? [...found].sort((one, other) => compare(column.value?.(one), column.value?.(other), chosen.down))
        : found;
    shown = order ? order(found, chosen, limit) : sorted().slice(0, limit);
    heads.forEach((head, index) => {
      const on = sort && columns[index].key && columns[index].key === chosen.key;
      if (on) head.setAttribute("aria-sort", chosen.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    put(body, shown.map(line));
    put(
      end,
      footRows().map((cells) =>
        make(
          "tr",
          {},
          cells.map((cell, index) => make("td", { class: place(columns[index]) }, cell)),
        ),
      ),
    );
    more.hidden = found.length <= limit;
    more.textContent = `Show all ${Units.grouped(found.length)}`;
    table.hidden = below.hidden = found.length === 0;
    if (note) note.hidden = table.hidden;
    empty.hidden = !table.hidden;
    put(empty, Dom.prose(rows.length === 0 ? (none ?? "") : "No name in this table matches the search."));
  };

  return {
    element,
    /** Shows new rows in the chosen order. */
    show: (next) => {
      rows = next;
      fill();
    },
    /** Updates the marks of rows, without building the rows again. */
    remark: () => {
      let at = 0;
      for (const row of body.rows) if (!row.classList.contains("inside")) row.className = mark?.(shown[at++]) ?? "";
    },
  };
};

/** Further parts of a column of figures. */
export interface More {
  hint?: string;
  narrow?: number;
  /** Formats the tooltip of a known figure. */
  exact?: (value: number) => string;
  /** The text of an unknown figure (default: `unknown`). */
  absent?: string;
}

/** Returns a column of figures. `show` formats a known figure. */
export const figures = <Row>(
  key: string & keyof Row,
  title: string,
  show: (value: number) => string,
  { exact, absent = "unknown", ...more }: More = {},
): Column<Row> => {
  const value = (row: Row) => {
    const figure = row[key];
    return typeof figure === "number" && !Number.isNaN(figure) ? figure : null;
  };
  const format = (row: Row, formatted: (figure: number) => string) => {
    const figure = value(row);
    return figure === null ? null : formatted(figure);
  };
  return {
    key,
    title,
    number: true,
    ...more,
    value,
    text: (row) => format(row, show) ?? absent,
    exact: exact && ((row) => format(row, exact)),
  };
};
export const bytes = <Row>(key: string & keyof Row, title: string, more: More = {}) =>
  figures<Row>(key, title, Units.bytes, { exact: Units.exact, ...more });
/** The text of a figure that the file lacks, for example because a call site is not among the listed ones. */
export const NONE = "–";
/** Returns a column of estimates of bytes. */
export const estimate = <Key extends string, Row extends Record<Key, Contents.Estimate | null>>(
  key: Key,
  title: string,
  more: { narrow?: number; hint?: string } = {},
): Column<Row> => ({
  key,
  title,
  number: true,
  ...more,
  text: ({ [key]: one }) => (one ? Units.estimate(one) : NONE),
  value: ({ [key]: one }) => one?.value ?? null,
  exact: ({ [key]: one }) => one && `${Units.estimate(one, Units.exact)}, from ${Units.grouped(one.samples)} samples`,
});
/** Returns a column of text. */
export const textColumn = <Row>(
  key: string,
  title: string,
  more: { narrow?: number },
  text: (row: Row) => string,
): Column<Row> => ({ key, title, ...more, value: text, text });
/** Returns the column of names: paths as lists of frames. */
export const names = <Row>(key: string, title: string, frames: (row: Row) => string[]): Column<Row> => ({
  ...textColumn<Row>(key, title, {}, (row) =>
    frames(row)
      .map((name) => name || "(no name)")
      .join(";"),
  ),
  exact: (row) => frames(row).join(" › "),
  cell: (row) => Found.path(frames(row)),
});
