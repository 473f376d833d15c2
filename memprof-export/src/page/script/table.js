/** Tables whose headings sort. The first rows are shown at once, and all rows at the user's
 * request. */
const Table = (() => {
  const { make, put } = Dom;
  const FIRST = 200;

  const unknown = (value) => value === null || value === undefined || Number.isNaN(value);
  /** Compares two values. Unknown values come last in both directions. */
  const compare = (one, other, down) => {
    if (unknown(one) || unknown(other)) return Number(unknown(one)) - Number(unknown(other));
    const order = typeof one === "string" ? one.localeCompare(other) : one - other;
    return down ? -order : order;
  };

  /** Builds a table. `columns`:
   * `{key, title, hint, number, narrow, text(row), value(row), cell(row), exact(row)}`. A column with `narrow` is hidden if the page is too narrow: 1
   * means below 640 px, 2 below 900 px. `open(row)` returns the unfolded part of a row.
   * `order(rows, sort, limit)` replaces sorting by value. `foot(shown, all)` returns the last
   * rows. `pick(row)` handles a click. `matches(row)` returns true if a row matches the search. */
  const build = (/** @type {TableParts} */ { label, columns, sort, order, open, foot, pick, mark, matches, none }) => {
    let [rows, shown, chosen, whole] = [[], [], { ...sort }, false];
    const opened = new Set();
    const place = (column) => [column.number && "number", column.narrow && `narrow-${column.narrow}`].filter(Boolean).join(" ") || null;

    const heads = columns.map((column) => {
      const resort = () => {
        const same = chosen.key === column.key;
        chosen = { key: column.key, down: same ? !chosen.down : Boolean(column.number) };
        fill();
        Dom.announce(`Sorted by ${column.title}, ${chosen.down ? "largest" : "smallest"} first`);
      };
      return make("th", { scope: "col", class: place(column), title: column.hint },
        sort && column.key ? make("button", { type: "button", class: "sort", onclick: resort }, column.title) : column.title);
    });
    const [body, end] = [make("tbody"), make("tfoot")];
    const table = make("table", { class: pick ? "picks" : null }, [make("caption", { class: "quiet" }, label), make("thead", {}, make("tr", {}, heads)), body, end]);
    const more = make("button", { type: "button", onclick: () => { whole = true; fill(); body.rows[FIRST]?.querySelector("button")?.focus(); } });
    const left = columns.filter((column) => column.narrow);
    const note = left.length > 0 && make("p", { class: "left-out faint" }, ["Columns hidden at this width",
      left.map((column) => make("span", { class: `out-${column.narrow}` }, ` · ${column.title}`))]);
    // The name comes last, so that a long name moves no figure.
    const turned = (/** @type {any[]} */ [name, ...others]) => [...others, name];
    const text = () => Copy.aligned(
      [columns.map((column) => column.title), ...shown.map((row) => columns.map((column) => column.text(row))), ...footRows()].map(turned),
      turned(columns).map((column) => Boolean(column.number)));
    const below = make("div", { class: "below" }, [more, Copy.button(text)]);
    const empty = make("p", { class: "empty" });
    const element = make("div", { class: "table" }, [table, note, below, empty]);

    const footRows = () => (foot ? foot(shown, rows) : []);
    const line = (row) => {
      const unfold = open?.(row) && make("button", {
        type: "button", class: "unfold", "aria-expanded": String(opened.has(row)), "aria-label": "Call stack",
        onclick: (event) => {
          event.stopPropagation();
          const closed = opened.delete(row);
          if (!closed) opened.add(row);
          event.currentTarget.setAttribute("aria-expanded", String(!closed));
          const under = event.currentTarget.closest("tr");
          if (closed) under.nextElementSibling.remove(); else under.after(inside(row));
        },
      });
      const cells = columns.map((column, index) => make(index === 0 ? "th" : "td", {
        scope: index === 0 ? "row" : null, class: index === 0 && (unfold || column.hangs) ? "hangs" : place(column), title: column.exact?.(row),
      }, [index === 0 && unfold, column.cell ? column.cell(row) : column.text(row)]));
      const made = make("tr", { class: mark?.(row), onclick: pick && (() => { if (String(getSelection()) === "") pick(row); }) }, cells);
      return opened.has(row) && unfold ? [made, inside(row)] : made;
    };
    const inside = (row) => make("tr", { class: "inside" }, make("td", { colspan: columns.length }, open(row)));

    const fill = () => {
      const found = matches && Found.isActive() ? rows.filter(matches) : rows;
      const column = columns.find((one) => one.key === chosen.key);
      const limit = whole ? Infinity : FIRST;
      const sorted = () => (sort && column ? [...found].sort((one, other) => compare(column.value(one), column.value(other), chosen.down)) : found);
      shown = order ? order(found, chosen, limit) : sorted().slice(0, limit);
      heads.forEach((head, index) => {
        const on = sort && columns[index].key && columns[index].key === chosen.key;
        if (on) head.setAttribute("aria-sort", chosen.down ? "descending" : "ascending"); else head.removeAttribute("aria-sort");
      });
      put(body, shown.map(line));
      put(end, footRows().map((cells) => make("tr", {}, cells.map((cell, index) => make("td", { class: place(columns[index]) }, cell)))));
      more.hidden = found.length <= limit;
      more.textContent = `Show all ${Units.grouped(found.length)}`;
      table.hidden = below.hidden = found.length === 0;
      if (note) note.hidden = table.hidden;
      empty.hidden = !table.hidden;
      put(empty, Dom.prose(rows.length === 0 ? none ?? "" : "No name in this table matches the search."));
    };

    return {
      element,
      /** Shows new rows in the chosen order. */
      show: (next) => { rows = next; fill(); },
      /** Updates the marks of rows, without building the rows again. */
      remark: () => {
        let at = 0;
        for (const row of body.rows) if (!row.classList.contains("inside")) row.className = mark(shown[at++]) ?? "";
      },
    };
  };

  /** Returns a column of figures. `show` formats a figure, and `exact` formats its title. */
  const figures = (key, title, show, /** @type {any} */ { exact, ...more } = {}) => ({
    key, title, number: true, ...more, value: (row) => row[key] ?? null, text: (row) => show(row[key]),
    exact: exact && ((row) => (unknown(row[key]) ? null : exact(row[key]))),
  });
  const bytes = (key, title, more) => figures(key, title, Units.bytes, { exact: Units.exact, ...more });
  /** Returns a column of text. */
  const textColumn = (key, title, more, text = (row) => row[key] ?? "unknown") => ({ key, title, ...more, value: text, text });
  /** Returns the column of names: paths as lists of frames. */
  const names = (key, title, frames) => ({
    ...textColumn(key, title, {}, (row) => frames(row).map((name) => name || "(no name)").join(";")), exact: (row) => frames(row).join(" › "), cell: (row) => Found.path(frames(row)),
  });

  return { build, compare, unknown, figures, bytes, textColumn, names };
})();
