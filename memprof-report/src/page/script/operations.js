/** The operations: what their calls left behind, all of them or those that ended in a range. */
const Operations = (() => {
  const { make, put } = Dom;
  const DEEPEST = 16;

  /** Sums up the calls that end in a range, a row for each path; the longest call of each is kept. */
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
    allocated: 0, peak: null, retained: null,
  }]));

  /** Rows below those that they ran in. Where one has no row of its own, it gets one without figures. */
  const asTree = (rows, chosen) => {
    const nodes = new Map();
    const roots = [];
    const place = (path) => {
      let node = nodes.get(path);
      if (node) return node;
      const cut = path.lastIndexOf(";");
      node = { row: { path, bare: true }, below: [] };
      nodes.set(path, node);
      (cut < 0 ? roots : place(path.slice(0, cut)).below).push(node);
      return node;
    };
    for (const row of rows) place(row.path).row = row;
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
    const last = names.pop() || "(no name)";
    const inTree = row.depth !== null;
    const swatch = make("span", { class: "swatch", "aria-hidden": "true", style: index === undefined ? {} : { background: Palette.operation(index) } });
    const text = [swatch, !inTree && names.length > 0 && make("span", { class: "faint" }, [Found.marked(names.join(" › ")), " › "]), Found.marked(last)];
    return make("span", { class: "name", style: { "padding-left": `${Math.min(row.depth ?? 0, DEEPEST) * 14}px` } },
      row.bare ? text : make("button", { type: "button", class: "plain", title: [row.path.replaceAll(";", " › "), row.where].filter(Boolean).join("\n") }, text));
  };

  const columns = (index) => {
    const amount = (key, title, show, hint, narrow) => ({
      key, title, hint, narrow, number: true,
      text: (row) => (row.bare ? "" : show(row[key])),
      exact: (row) => (row.bare || row[key] === null ? null : Units.exact(row[key])),
      value: (row) => (row.bare ? null : row[key]),
    });
    return {
      path: { key: "path", title: "operation", text: (row) => `${"  ".repeat(row.depth ?? 0)}${row.depth === null ? row.path : row.path.split(";").pop()}`,
        cell: (row) => name(row, index.get(row.path)), value: (row) => row.path },
      calls: { ...amount("calls", "calls", Units.grouped, "How many calls ended"), exact: () => null },
      total: amount("total", "total", Units.change, "What all calls left behind: allocated less freed by their threads meanwhile"),
      average: amount("average", "average", Units.change, "What a call left behind on average", 1),
      max: amount("max", "max", Units.change, "The most that a call left behind", 2),
      peak: amount("peak", "peak", Units.bytes, "The most that a call held at once above what was there", 1),
      allocated: amount("allocated", "allocated", Units.bytes, "What all calls allocated", 2),
      timeNs: { ...amount("timeNs", "time", Units.span, "How long all calls took"), narrow: 1, exact: (row) => (row.timeNs > 0 ? Units.moment(row.timeNs) : null) },
      retained: { ...amount("retained", "retained", Units.estimate, "What is live of what it allocated: an estimate from samples", 2),
        exact: (row) => row.retained && `${Units.exact(row.retained.value)} ± ${Units.exact(row.retained.side)} from ${Units.grouped(row.retained.samples)} samples`,
        value: (row) => row.retained?.value ?? null },
    };
  };

  const table = (report, keys, index, pick) => {
    const all = columns(index);
    const order = (rows, chosen) => {
      if (chosen.key === "path" || chosen.key === "total") return asTree(rows.filter((row) => !row.bare), chosen);
      const column = Object.values(all).find((one) => one.key === chosen.key);
      for (const row of rows) row.depth = null;
      return [...rows].sort((one, other) => Table.compare(column.value(one), column.value(other), chosen.down));
    };
    const current = (row) => (State.now.call >= 0 && index.get(row.path) === report.calls.path[State.now.call] ? "current" : null);
    return Table.build({
      label: "Operations", columns: keys.map((key) => all[key]), sort: { key: "total", down: true }, order, pick, mark: current,
      search: (row) => row.path, none: report.tracked ? "No operation has ended." : "Unknown: operations were not counted. They are where the program's allocator is memprof's and code runs within `memprof::operation!(\"name\")`.",
    });
  };

  const frameworks = (report) => {
    const amount = (key, title, show, narrow) => ({ key, title, narrow, number: true, text: (row) => show(row[key]), value: (row) => row[key], exact: (row) => (show === Units.bytes && row[key] !== null ? Units.exact(row[key]) : null) });
    return Table.build({
      label: "Operations of frameworks", sort: { key: "cpuNs", down: true }, search: (row) => row.name,
      columns: [
        { key: "name", title: "framework's operation", text: (row) => row.name || "(no name)", cell: (row) => make("span", { class: "name" }, Found.marked(row.name || "(no name)")), value: (row) => row.name },
        amount("calls", "calls", Units.grouped), amount("cpuNs", "CPU time", Units.span), amount("deviceNs", "device time", Units.span, 1),
        amount("cpuBytes", "CPU memory", Units.bytes, 1), amount("deviceBytes", "device memory", Units.bytes, 2),
        { key: "shapes", title: "shapes", narrow: 2, text: (row) => row.shapes ?? "", value: (row) => row.shapes },
      ],
    });
  };

  const build = (report, element) => {
    const index = new Map(report.paths.map((path, at) => [path.whole, at]));
    let sums = null;
    let everything = null;
    const pick = (row) => {
      if (row.bare) return;
      sums ??= everything ??= within(report, -Infinity, Infinity);
      const call = sums.longest[index.get(row.path)] ?? -1;
      if (call < 0) return Dom.announce(`The page has none of the calls of ${row.path}`);
      const { start, duration, delta } = report.calls;
      const room = Math.max(duration[call] * 0.5, 500);
      State.set({ call, from: Math.max(0, start[call] - room), to: Math.min(report.end, start[call] + duration[call] + room) });
      Dom.announce(`The longest call of ${row.path}: ${Units.span(duration[call])}, ${Units.change(delta[call])}, from ${Units.moment(start[call])}`);
    };
    const untold = ["timeNs", "retained"].filter((key) => report.operations.every((row) => row[key] === null));
    const keys = ["path", "calls", "total", "average", "max", "peak", "allocated", "timeNs", "retained"].filter((key) => !untold.includes(key));
    const whole = table(report, keys, index, pick);
    const part = table(report, ["path", "calls", "total", "average", "max", "timeNs"], index, pick);
    const title = make("h3");
    const about = make("p", { class: "faint" });
    const clear = make("button", { type: "button", onclick: () => State.set({ range: null }) }, "All calls");
    const of = report.frameworks.length > 0 ? frameworks(report) : null;
    put(element, make("div", { class: "heading" }, [title, clear]), about, whole.element, part.element,
      of && [make("h3", { class: "second" }, "Reported by frameworks"), of.element]);

    const draw = () => {
      const { range } = State.now;
      whole.element.hidden = range !== null;
      part.element.hidden = clear.hidden = range === null;
      sums = range ? within(report, range.from, range.to) : everything;
      if (range) {
        const rows = rowsOfRange(report, sums);
        const count = rows.reduce((sum, row) => sum + row.calls, 0);
        title.textContent = `Operations, ${Units.span(range.from)} to ${Units.span(range.to)}`;
        about.textContent = `Of the ${Units.grouped(count)} calls in this page that ended in this range; calls that the session or the page left out are not among them. Peak, allocated and retained are known of all calls only.`;
        part.show(rows);
      } else {
        title.textContent = "Operations";
        about.textContent = report.operations.length === 0 ? "" : ["Of all calls, counted exactly. Choose one to see its longest call.",
          untold.includes("timeNs") && "How long they took is unknown: they were not timed.",
          untold.includes("retained") && "What of it is live is unknown: nothing was sampled."].filter(Boolean).join(" ");
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
