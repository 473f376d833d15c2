/** The places in the code that hold memory or keep growing, each with its call stack. */
const Places = (() => {
  const { make, put } = Dom;

  const confidenceText = (confidence) => (confidence > 0.999 ? "over 99.9\u00a0%" : Units.percent(confidence, 1));
  /** Formats bytes per time. An amount of less than a byte is not shown as 0. */
  const pace = (bytes) => (bytes !== 0 && Math.abs(bytes) < 1 ? `${bytes > 0 ? "+" : "−"}${Math.abs(bytes).toFixed(2)}\u00a0B` : Units.change(bytes));
  const errorText = (one) => `${Units.exact(one.value)} ± ${Units.exact(one.side)}, from ${Units.grouped(one.samples)} samples`;
  const within = (names) => (names.length > 0 ? names.join(" › ") : "outside operations");

  const place = Table.names("place", "call site", (row) => [row.place]);
  const inside = (more) => Table.textColumn("operation", "operation", more, (row) => within(row.operation));
  const estimate = (key, title, narrow) => ({ ...Table.figures(key, title, Units.estimate, { exact: errorText, narrow }), value: (row) => row[key]?.value ?? null });
  const rounded = (amount) => Units.grouped(Math.round(amount));
  const count = (key, title, narrow) => ({ ...estimate(key, title, narrow), exact: null,
    text: (row) => (row[key] ? `${rounded(row[key].value)}${row[key].side >= 1 ? `\u00a0±\u00a0${rounded(row[key].side)}` : ""}` : "unknown") });
  const share = (rows) => {
    const live = (row) => Math.max(0, row.live.value);
    const all = rows.reduce((sum, row) => sum + live(row), 0);
    const text = (row) => Units.percent(live(row), all);
    return { title: "share", narrow: 2, number: true, text, cell: (row) => make("span", { class: "share", style: { "--part": all > 0 ? live(row) / all : 0 } }, text(row)) };
  };

  const stack = (row) => (row.stack.length === 0 ? null : make("ol", { class: "stack" }, row.stack.map((frame) => make("li", {}, Found.marked(frame || "(no name)")))));
  const text = (row) => [row.place, ...(row.stack ?? []), ...(row.operation ?? []), ...(row.roots ?? [])].filter(Boolean).join(" ");
  const matches = (row) => Found.has(text(row));

  const part = (rows, title, about, columns) => {
    const table = Table.build({ label: title, columns, sort: { key: columns.find((column) => column.number).key, down: true },
      open: rows[0].stack ? stack : null, matches });
    return { rows, table, element: make("section", {}, [make("h3", {}, title), about && make("p", { class: "faint" }, about), table.element]) };
  };

  const rate = (key, title, narrow) => Table.figures(key, title, (bytes) => (bytes === null ? "–" : pace(bytes)), { exact: Units.exact, narrow });

  const parts = (report) => {
    const made = [];
    const add = (rows, ...more) => { if (rows.length > 0) made.push(part(rows, ...more)); };
    add(report.leaks, "Growing call sites", "Call sites whose live bytes rise steadily. At a confidence of 99\u00a0%, one in 100 series without a trend rises this much.", [
      place, inside({ narrow: 1 }), rate("bytesPerSecond", "per second"), rate("bytesPerCall", "per call", 1),
      Table.figures("confidence", "confidence", confidenceText, { narrow: 1 }), estimate("live", "live", 2)]);
    const others = report.otherSites && `Live bytes of the call sites that are not listed: ${Units.estimate(report.otherSites)}.`;
    const places = (rows) => [place, estimate("live", "live"), share(rows), count("blocks", "blocks", 2), estimate("allocated", "allocated", 1)];
    add(report.sites, "Live bytes by call site", others, places(report.sites));
    add(report.unexplained, "Unexplained bytes by call site", "Live blocks that no root reaches.", places(report.unexplained));
    add(report.unexplainedOperations, "Unexplained bytes by operation", null, [
      inside(), estimate("live", "live"), count("blocks", "blocks", 1)]);
    add(report.claimedTwice, "Claimed by two roots", "Blocks that both roots reach. Their bytes count in both.", [
      Table.textColumn("roots", "roots", {}, (row) => row.roots.join(" and ")), estimate("live", "live")]);
    add(report.largestBlocks, "Largest blocks", "The largest sampled blocks that are live.", [
      place, inside({ narrow: 1 }), Table.bytes("bytes", "bytes"), Table.figures("ageNs", "age", Units.span, { narrow: 1 })]);
    return made;
  };

  const build = (report, element) => {
    const all = parts(report);
    const counted = report.snapshots.some((snapshot) => snapshot.live !== null);
    const sampled = report.snapshots.some((snapshot) => snapshot.explained !== null) || report.operations.some((row) => row.retained !== null);
    const none = report.began === null ? "A profile has no call sites. A session that samples the heap records them."
      : counted && !report.summedUp ? "Call sites and leaks are unknown: the file ends before they were written." : sampled ? "No sampled block is live." : counted
      ? "Call sites and leaks are unknown: no samples were taken. To sample the heap, set `.level(memprof::heap::Level::Sampled)`, or `MEMPROF_LEVEL=sampled` in the environment."
      : "Call sites and leaks are unknown: the heap was not counted. To count it, add `#[global_allocator] static ALLOC: memprof::Allocator = memprof::Allocator::system();` to the program and sample the heap.";
    put(element, all.length === 0
      ? make("p", { class: "empty" }, Dom.prose(none))
      : [(report.leaks.length === 0 || report.summaryAge !== null) && make("p", { class: "faint" }, report.summaryAge !== null
        ? `Call sites and leaks are ${report.summaryAge}: later ones are unknown.` : "No growing call site was found."), all.map((one) => one.element)]);
    return {
      keys: ["units", "find"],
      draw: () => { for (const one of all) one.table.show(one.rows); },
      found: () => all.reduce((sum, one) => sum + one.rows.filter(matches).length, 0),
    };
  };

  return { build };
})();
