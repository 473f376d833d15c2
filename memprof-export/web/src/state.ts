/** The state of the view, in one place. The parts of the page read it here and are notified of
 * changes. The URL contains it too, so that a link opens the same view. */

import type { PageData, Range } from "./page_data";

export type Theme = "auto" | "light" | "dark";

export interface View {
  /** The part of the time axis in view, in ns. */
  from: number;
  to: number;
  /** The range of the tables and the tree; `null` for everything. */
  range: Range | null;
  /** The shown snapshot, and the one compared with it, by index; -1 for none. */
  shown: number;
  before: number;
  /** The pane in front. */
  pane: string;
  /** The search text, in lower case. */
  find: string;
  units: Contents.UnitsName;
  theme: Theme;
  /** The chosen call, by index; -1 for none. */
  call: number;
}

export type Key = keyof View;

export const now: View = {
  from: 0,
  to: 1,
  range: null,
  shown: -1,
  before: -1,
  pane: "operations",
  find: "",
  units: "iec",
  theme: "auto",
  call: -1,
};
const listeners: [readonly Key[], () => void][] = [];
let pending = new Set<Key>();

const notify = () => {
  const changed = pending;
  pending = new Set();
  for (const [keys, run] of listeners) if (keys.some((key) => changed.has(key))) run();
  remember();
};

const isSame = (key: Key, value: View[Key]) => {
  const [was, is] = [now[key], value];
  if (was && is && typeof was === "object" && typeof is === "object") return was.from === is.from && was.to === is.to;
  return was === is;
};

/** Changes some entries. Listeners run once before the next frame, for any number of changes. */
export const set = (changes: Partial<View>) => {
  for (const key of Object.keys(changes) as Key[]) {
    const value = changes[key];
    if (value === undefined || isSame(key, value)) continue;
    Object.assign(now, { [key]: value });
    if (pending.size === 0) requestAnimationFrame(notify);
    pending.add(key);
  }
};

/** Calls a function after each change of one of these keys. */
export const on = (keys: readonly Key[], run: () => void) => {
  listeners.push([keys, run]);
};

const STORED_KEYS: readonly Key[] = ["from", "to", "shown", "before", "pane", "units", "theme", "call"];
let timer = 0;
// Browsers limit the rate of URL changes, and some frames forbid them.
const remember = () => {
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    const parameters = new URLSearchParams();
    for (const key of STORED_KEYS) parameters.set(key, String(now[key]));
    if (now.range) parameters.set("range", `${now.range.from}-${now.range.to}`);
    if (now.find) parameters.set("find", now.find);
    try {
      history.replaceState(null, "", `#${parameters}`);
    } catch {
      // A frame without an address has no URL to change.
    }
  }, 300);
};

const oneOf = <Name extends string>(names: readonly Name[], value: string | null) =>
  names.find((name) => name === value);

/** Restores the state from the URL. Ignores invalid values. */
export const recall = (data: PageData) => {
  let parameters: URLSearchParams;
  try {
    parameters = new URLSearchParams(location.hash.slice(1));
  } catch {
    return;
  }
  const number = (key: string, minimum: number, maximum: number) => {
    const value = Number(parameters.get(key));
    return parameters.get(key) !== null && value >= minimum && value <= maximum ? value : null;
  };
  const [from, to] = [number("from", 0, data.end), number("to", 0, data.end)];
  if (from !== null && to !== null && from < to) Object.assign(now, { from, to });
  const [begin = NaN, end = NaN] = (parameters.get("range") ?? "").split("-").map(Number);
  if (begin >= 0 && end > begin && end <= data.end) now.range = { from: begin, to: end };
  for (const key of ["shown", "before"] as const) {
    const index = number(key, -1, data.snapshots.length - 1);
    if (index !== null && Number.isInteger(index)) now[key] = index;
  }
  const call = number("call", -1, data.calls.count - 1);
  if (call !== null && Number.isInteger(call)) now.call = call;
  now.units = oneOf(["iec", "si", "bytes"], parameters.get("units")) ?? now.units;
  now.theme = oneOf(["auto", "light", "dark"], parameters.get("theme")) ?? now.theme;
  now.find = (parameters.get("find") ?? "").slice(0, 200);
};
