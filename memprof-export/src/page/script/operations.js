/** The operations with the net bytes of all their calls, or only of the calls that ended in a
 * range. */
const Operations = (() => {
  const { make, put } = Dom;
  const DEEPEST = 16;

  /** Sums up the calls that end in a range, one row for each path, with the longest call of
   * each. */
  const within = (report, from, to) => {
    const { count, path, start, duration, delta } = report.calls;
    const paths = report.paths.length;
    const [calls, total, max, time, longest] = [0, 0, -Infinity, 0, -1].map((value) => new Float64Array(paths).fill(value));
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

  const rowsOfRange = (report, sums) => report.paths.flatMap((path, of) => (sums.calls[of] === 0 ? [] : [{
    path: path.whole, where: path.where, calls: sums.calls[of], total: sums.total[of],
    average: sums.total[of] / sums.calls[of], max: sums.max[of], timeNs: sums.time[of],
    allocated: null, peak: null, retained: null,
  }]));

  /** Returns rows as a tree: each row is below the operation in which it ran, which is added if
   * missing. An operation without data has no figures. `rowsByPath` has all rows by path. */
  const asTree = (rows, chosen, rowsByPath) => {
    const nodes = new Map();
    const roots = [];
    const place = (path) => {
      let node = nodes.get(path);
      if (node) return node;
      const cut = path.lastIndexOf(";");
      node = { row: rowsByPath.get(path) ?? { path, bare: true }, below: [] };
      nodes.set(path, node);
      (cut < 0 ? roots : place(path.slice(0, cut)).below).push(node);
      return node;
    };
    for (const row of rows) place(row.path);
    const value = (node) => (chosen.key === "path" ? node.row.path : node.row.total ?? Math.max(...node.below.map(value)));
    const list = [];
    const walk = (siblings, depth) => {
      const keyed = siblings.map((node) => [value(node), node]);
      keyed.sort((one, other) => Table.compare(one[0], other[0], chosen.down) || (other[1].row.allocated ?? 0) - (one[1].row.allocated ?? 0));
      for (const [, node] of keyed) {
        list.push(Object.assign(node.row, { depth }));
        walk(node.below, depth + 1);
      }
    };
    walk(roots, 0);
    return list;
  };

  const name = (row, index) => {
    const names = row.path.split(";");
    const swatch = make("span", { class: "swatch", "aria-hidden": "true", style: index === undefined ? {} : { background: Palette.operation(index) } });
    const text = [swatch, Found.path(row.depth === null ? names : names.slice(-1))];
    return make("span", { class: "line", style: { "padding-left": `${Math.min(row.depth ?? 0, DEEPEST) * 14}px` } },
      row.bare ? text : make("button", { type: "button", class: "plain" }, text));
  };

  const columns = (index) => {
    const amount = (key, show, hint, narrow) => {
      const column = Table.bytes(key, key, { hint, narrow });
      return { ...column, text: (row) => (row.bare ? "" : show(row[key])) };
    };
    const all = [
      { ...Table.names("path", "operation", (row) => row.path.split(";")), cell: (row) => name(row, index.get(row.path)),
        text: (row) => (row.depth === null ? row.path : "  ".repeat(row.depth) + row.path.split(";").pop()),
        exact: (row) => [row.path.replaceAll(";", " › "), row.where].filter(Boolean).join("\n") },
      { ...amount("calls", Units.grouped, "Number of calls that ended"), exact: null },
      amount("total", Units.change, "Net bytes of all calls, each counted on its own thread: allocated less freed"),
      amount("average", Units.change, "Average net bytes of a call", 1),
      amount("max", Units.change, "Largest net bytes of a call", 2),
      amount("peak", Units.bytes, "Most bytes live at once during a call, above those at its start", 1),
      amount("allocated", Units.bytes, "Bytes that all calls allocated", 2),
      { ...amount("timeNs", Units.span, "Total duration of all calls", 1), title: "time", exact: (row) => (row.timeNs > 0 ? Units.moment(row.timeNs) : null) },
      { ...amount("retained", Units.estimate, "Live bytes that the operation allocated itself: an estimate from samples", 2), value: (row) => row.retained?.value ?? null,
        exact: (row) => row.retained && `${Units.exact(row.retained.value)} ± ${Units.exact(row.retained.side)} from ${Units.grouped(row.retained.samples)} samples` },
    ];
    return new Map(all.map((column) => [column.key, column]));
  };

  const table = (report, keys, index, pick, rowsByPath, none) => {
    const all = columns(index);
    const order = (rows, chosen, limit) => {
      const column = all.get(chosen.key);
      const top = [...rows].sort((one, other) => Table.compare(column.value(one), column.value(other), chosen.down)).slice(0, limit);
      if (chosen.key === "path" || chosen.key === "total") return asTree(top, chosen, rowsByPath());
      for (const row of top) row.depth = null;
      return top;
    };
    const current = (row) => (State.now.call >= 0 && index.get(row.path) === report.calls.path[State.now.call] ? "current" : null);
    return Table.build({
      label: "Operations", columns: keys.map((key) => all.get(key)), sort: { key: "total", down: true }, order, pick, mark: current,
      matches: (row) => Found.has(row.path), none,
    });
  };

  const frameworks = () => Table.build({
    label: "Operations of frameworks", sort: { key: "cpuNs", down: true }, matches: (row) => Found.has(row.name),
    columns: [Table.names("name", "framework operation", (row) => [row.name]), Table.figures("calls", "calls", Units.grouped),
      Table.figures("cpuNs", "CPU time", Units.span), Table.figures("deviceNs", "device time", Units.span, { narrow: 1 }),
      Table.bytes("cpuBytes", "CPU memory", { narrow: 1 }), Table.bytes("deviceBytes", "device memory", { narrow: 2 }), Table.textColumn("shapes", "shapes", { narrow: 2 })],
  });

  const build = (report, element) => {
    const index = new Map(report.paths.map((path, at) => [path.whole, at]));
    let sums = null;
    let everything = null;
    let rowsInRange = new Map();
    const pick = (row) => {
      if (row.bare) return;
      sums ??= everything ??= within(report, -Infinity, Infinity);
      const call = sums.longest[index.get(row.path)] ?? -1;
      if (call < 0) {
        about.textContent = `The page has no calls of ${row.path.replaceAll(";", " › ")}.`;
        return Dom.announce(about.textContent);
      }
      const { start, duration, delta } = report.calls;
      const margin = Math.max(duration[call] * 0.5, 500);
      State.set({ call, from: Math.max(0, start[call] - margin), to: Math.min(report.end, start[call] + duration[call] + margin) });
      Dom.announce(`The longest call of ${row.path}: ${Units.span(duration[call])}, ${Units.change(delta[call])}, at ${Units.moment(start[call])}`);
    };
    const missing = ["timeNs", "retained"].filter((key) => report.operations.every((row) => row[key] === null));
    const keys = ["path", "calls", "total", "average", "max", "peak", "allocated", "timeNs", "retained"].filter((key) => !missing.includes(key));
    const everyRow = new Map(report.operations.map((row) => [row.path, row]));
    const none = report.began === null ? "A profile has no operations. A session records them."
      : report.calls.count > 0 || (report.tracked && !report.summedUp) ? `Unknown: the file ends before the totals of all calls were written.${report.calls.count > 0 ? " To see the totals of the calls in a range, select one, for example with the key R." : ""}`
      : report.tracked ? "No call of an operation has ended."
      : "Unknown: operations were not counted. To count them, use memprof's allocator and name parts of the program with `memprof::operation!(\"name\")`.";
    const whole = table(report, keys, index, pick, () => everyRow, none);
    const part = table(report, ["path", "calls", "total", "average", "max", "timeNs"], index, pick, () => rowsInRange, "No call in this page ended in this range.");
    const about = make("p", { class: "faint" });
    const clear = make("button", { type: "button", onclick: () => State.set({ range: null }) }, "All calls");
    const of = report.frameworks.length > 0 ? frameworks() : null;
    put(element, make("div", { class: "heading" }, [about, clear]), whole.element, part.element,
      of && [make("h3", {}, "Reported by frameworks"), of.element]);

    const draw = () => {
      const { range } = State.now;
      whole.element.hidden = range !== null;
      part.element.hidden = clear.hidden = range === null;
      sums = range ? within(report, range.from, range.to) : everything;
      if (range) {
        const rows = rowsOfRange(report, sums);
        const count = rows.reduce((sum, row) => sum + row.calls, 0);
        about.textContent = `Totals of ${count === 1 ? "the 1 call" : `the ${Units.grouped(count)} calls`} in this page that ended from ${Units.span(range.from)} to ${Units.span(range.to)}. Calls that the session or the page left out are not counted. Peak, allocated and retained are rowsByPath only for all calls together.`;
        rowsInRange = new Map(rows.map((row) => [row.path, row]));
        part.show(rows);
      } else {
        about.textContent = report.operations.length === 0 ? "" : ["Exact counts of all calls. Choose an operation to see its longest call.",
          missing.includes("timeNs") && "Durations are unknown: the calls were not timed.",
          missing.includes("retained") && "Retained bytes are unknown: no samples were taken."].filter(Boolean).join(" ");
        whole.show(report.operations);
      }
      of?.show(report.frameworks);
    };
    State.on(["call"], () => (State.now.range ? part : whole).remark());
    return {
      keys: ["units", "theme", "range", "find"], draw,
      found: () => report.operations.filter((row) => Found.has(row.path)).length + report.frameworks.filter((row) => Found.has(row.name)).length,
    };
  };

  return { build };
})();
