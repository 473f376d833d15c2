/** The state of the view, in one place. The parts of the page read it here and are notified of
 * changes. The URL contains it too, so that a link opens the same view. */
const State = (() => {
  const now = {
    /** The part of the time axis in view, in ns. */
    from: 0, to: 1,
    /** The range of the tables and the tree; `null` for everything. */
    range: null,
    /** The shown snapshot, and the one compared with it, by index; -1 for none. */
    shown: -1, before: -1,
    /** The pane in front. */
    pane: "operations",
    /** The search text, in lower case. */
    find: "",
    units: "iec",
    /** `auto`, `light`, `dark`. */
    theme: "auto",
    /** The chosen call, by index; -1 for none. */
    call: -1,
  };
  const listeners = [];
  let pending = new Set();

  const notify = () => {
    const changed = pending;
    pending = new Set();
    for (const [keys, run] of listeners) if (keys.some((key) => changed.has(key))) run(now);
    remember();
  };

  /** Changes some entries. Listeners run once before the next frame, for any number of changes. */
  const set = (changes) => {
    for (const [key, value] of Object.entries(changes)) {
      const same = key === "range" && now.range && value
        ? now.range.from === value.from && now.range.to === value.to
        : now[key] === value;
      if (same) continue;
      now[key] = value;
      if (pending.size === 0) requestAnimationFrame(notify);
      pending.add(key);
    }
  };

  const STORED_KEYS = ["from", "to", "shown", "before", "pane", "units", "theme", "call"];
  let timer = 0;
  // Browsers limit the rate of URL changes, and some frames forbid them.
  const remember = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const parameters = new URLSearchParams();
      for (const key of STORED_KEYS) parameters.set(key, String(now[key]));
      if (now.range) parameters.set("range", `${now.range.from}-${now.range.to}`);
      if (now.find) parameters.set("find", now.find);
      try { history.replaceState(null, "", `#${parameters}`); } catch { /* a frame without an address */ }
    }, 300);
  };

  /** Restores the state from the URL, without invalid values. */
  const recall = (report) => {
    let parameters;
    try { parameters = new URLSearchParams(location.hash.slice(1)); } catch { return; }
    const number = (key, minimum, maximum) => {
      const value = Number(parameters.get(key));
      return parameters.get(key) !== null && value >= minimum && value <= maximum ? value : null;
    };
    const [from, to] = [number("from", 0, report.end), number("to", 0, report.end)];
    if (from !== null && to !== null && from < to) Object.assign(now, { from, to });
    const [begin, end] = (parameters.get("range") ?? "").split("-").map(Number);
    if (begin >= 0 && end > begin && end <= report.end) now.range = { from: begin, to: end };
    for (const key of ["shown", "before"]) {
      const index = number(key, -1, report.snapshots.length - 1);
      if (index !== null && Number.isInteger(index)) now[key] = index;
    }
    const call = number("call", -1, report.calls.count - 1);
    if (call !== null && Number.isInteger(call)) now.call = call;
    if (["iec", "si", "bytes"].includes(parameters.get("units"))) now.units = parameters.get("units");
    if (["auto", "light", "dark"].includes(parameters.get("theme"))) now.theme = parameters.get("theme");
    now.find = (parameters.get("find") ?? "").slice(0, 200);
  };

  return {
    now, set, recall,
    /** Calls a function after each change of one of these keys. */
    on: (keys, run) => { listeners.push([keys, run]); },
  };
})();
