/** The panes below the time axis: their tabs, the search in them, and the snapshots of a range. */
const Panes = (() => {
  const { make, put, id } = Dom;
  /** @type {[string, string, any][]} */
  const ALL = [["operations", "Operations", Operations], ["tree", "Tree", Tree], ["difference", "Difference", Difference],
    ["places", "Sites and leaks", Places], ["balance", "Balance", Balance]];
  const panes = new Map();

  const tabs = (list, parts, report) => {
    const show = (name, focus) => {
      State.set({ pane: name });
      if (focus) panes.get(name).tab.focus();
    };
    const step = (event, name) => {
      const names = [...panes.keys()];
      const at = names.indexOf(name);
      const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: names.length - 1 }[event.key];
      if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      show(names[(next + names.length) % names.length], true);
    };
    put(list);
    list.setAttribute("aria-label", "Tables");
    for (const [name, title, part] of ALL) {
      const count = make("span", { class: "count" });
      const tab = make("button", {
        type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `pane-${name}`,
        onclick: () => show(name), onkeydown: (event) => step(event, name),
      }, [title, count]);
      const element = make("div", { role: "tabpanel", id: `pane-${name}`, "aria-labelledby": `tab-${name}`, tabindex: -1, class: "pane" });
      list.append(tab);
      parts.append(element);
      panes.set(name, { name, tab, element, count, stale: true, ...part.build(report, element) });
    }
  };

  /** Draws the front pane if its contents have changed. The others are drawn when they come to
   * the front. */
  const draw = () => {
    for (const pane of panes.values()) {
      const front = pane.name === State.now.pane;
      pane.tab.setAttribute("aria-selected", String(front));
      pane.tab.tabIndex = front ? 0 : -1;
      pane.element.hidden = !front;
      if (!front || !pane.stale) continue;
      pane.stale = false;
      pane.draw();
    }
  };

  /** Compares the snapshots at the beginning and the end of a range. */
  const follow = (report) => {
    const { range } = State.now;
    if (!range) return;
    const at = (moment) => Chooser.nearest(report.snapshots, report.snapshots.findLastIndex((snapshot) => snapshot.at <= moment));
    const [shown, before] = [at(range.to), at(range.from)];
    if (shown >= 0) State.set({ shown, before });
  };

  const searching = () => {
    const [input, output] = [id("find"), id("found")];
    let timer = 0;
    const search = () => State.set({ find: input.value.trim().toLowerCase().slice(0, 200) });
    const count = () => {
      const counts = new Map();
      for (const [name, pane] of panes) {
        counts.set(name, Found.isActive() ? pane.found() : 0);
        pane.count.textContent = counts.get(name) > 0 ? Units.grouped(counts.get(name)) : "";
      }
      const [operations, names] = [counts.get("operations"), counts.get("tree")];
      output.textContent = Found.isActive() ? Units.grouped(operations + names) : "";
      output.title = Found.isActive() ? `${Units.counted(operations, "operation")} and ${Units.counted(names, "name")} in the tree` : "";
      if (Found.isActive()) Dom.announce(`Found ${output.title}`);
      return counts;
    };
    input.value = State.now.find;
    input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(search, 120); });
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        if (input.value === "") input.blur();
        input.value = "";
        search();
        event.stopPropagation();
      } else if (event.key === "Enter") {
        search();
        // Moves to the next pane that has a match.
        const names = [...panes.keys()];
        const here = names.indexOf(State.now.pane);
        const counts = count();
        const next = [...names.slice(here + 1), ...names.slice(0, here + 1)].find((name) => counts.get(name) > 0);
        if (next) State.set({ pane: next });
      }
    });
    State.on(["find", "shown", "before"], () => { if (input !== document.activeElement && input.value.trim().toLowerCase() !== State.now.find) input.value = State.now.find; count(); });
    if (Found.isActive()) count();
  };

  const build = (report, list, parts) => {
    Nodes.use(report);
    const { snapshots } = report;
    const trees = snapshots.flatMap((snapshot, index) => (snapshot.hasTree ? [index] : []));
    const amount = (index) => snapshots[index].live ?? report.tree(index).total;
    if (State.now.shown < 0 && trees.length > 0) State.now.shown = trees.reduce((most, index) => (amount(index) > amount(most) ? index : most));
    if (State.now.before < 0 && trees.length > 0) [State.now.before] = trees;
    // A profile alone has no data over time, and a pool's timeline has no operations.
    if (report.began === null || (trees.length > 0 && report.calls.count === 0 && report.operations.length === 0)) State.now.pane = "tree";
    tabs(list, parts, report);
    // The URL may name a pane, which exists only from here on.
    try {
      const fromUrl = new URLSearchParams(location.hash.slice(1)).get("pane");
      if (panes.has(fromUrl)) State.now.pane = fromUrl;
    } catch { /* a frame without an address */ }
    if (!panes.has(State.now.pane)) [State.now.pane] = panes.keys();
    const keys = new Set(["pane", ...[...panes.values()].flatMap((pane) => pane.keys)]);
    for (const key of keys) State.on([key], () => { for (const pane of panes.values()) if (pane.keys.includes(key)) pane.stale = true; });
    State.on(["range"], () => follow(report));
    State.on([...keys], draw);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { for (const pane of panes.values()) pane.stale = true; draw(); });
    searching();
    draw();
  };

  return {
    build,
    /** Functions for tests of the page. */
    debug: {
      rows: (name) => [...panes.get(name).element.querySelectorAll("tbody tr:not(.gap)")].filter((row) => row.offsetParent).map((row) => [...row.cells].map((cell) => cell.textContent)),
      node: (path) => panes.get(State.now.pane).icicle?.box(path) ?? null,
    },
  };
})();
