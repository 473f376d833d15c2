/** The panes below the time axis: their tabs, the search in them, and the snapshots of a range. */

import { growing } from "./answer";
import * as Chooser from "./chooser";
import * as Difference from "./difference";
import * as Dom from "./dom";
import { id, make, put } from "./dom";
import * as Found from "./found";
import * as Nodes from "./nodes";
import * as Operations from "./operations";
import type { Pane } from "./pane";
import * as Places from "./places";
import type { PageData } from "./page_data";
import type { Key } from "./state";
import * as State from "./state";
import * as Tree from "./tree";
import * as Units from "./units";

interface Tabbed extends Pane {
  name: string;
  tab: HTMLElement;
  element: HTMLElement;
  count: HTMLElement;
  stale: boolean;
}

const ALL: [string, string, { build(data: PageData, element: HTMLElement): Pane }][] = [
  ["operations", "Operations", Operations],
  ["tree", "Tree", Tree],
  ["difference", "Difference", Difference],
  ["places", "Call sites", Places],
];
/** Returns the panes in their order: call sites come first if one keeps growing. */
const order = (data: PageData): typeof ALL =>
  growing(data.sites).length === 0
    ? ALL
    : [...ALL].sort(([one], [other]) => Number(other === "places") - Number(one === "places"));
const panes = new Map<string, Tabbed>();

const tabs = (list: HTMLElement, parts: HTMLElement, data: PageData) => {
  const show = (name: string, focus = false) => {
    State.set({ pane: name });
    if (focus) panes.get(name)?.tab.focus();
  };
  const step = (event: KeyboardEvent, name: string) => {
    const names = [...panes.keys()];
    const at = names.indexOf(name);
    const keys: Record<string, number> = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: names.length - 1 };
    const next = keys[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    show(names[(next + names.length) % names.length], true);
  };
  put(list);
  list.setAttribute("aria-label", "Tables");
  for (const [name, title, part] of order(data)) {
    const count = make("span", { class: "count" });
    const tab = Dom.button([title, count], () => show(name), {
      role: "tab",
      id: `tab-${name}`,
      "aria-controls": `pane-${name}`,
      onkeydown: (event: KeyboardEvent) => step(event, name),
    });
    const element = make("div", {
      role: "tabpanel",
      id: `pane-${name}`,
      "aria-labelledby": `tab-${name}`,
      tabindex: -1,
      class: "pane",
    });
    list.append(tab);
    parts.append(element);
    panes.set(name, { name, tab, element, count, stale: true, ...part.build(data, element) });
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
const follow = (data: PageData) => {
  const { range } = State.now;
  if (!range) return;
  const at = (moment: number) =>
    Chooser.nearest(
      data.snapshots,
      data.snapshots.findLastIndex((snapshot) => snapshot.at <= moment),
    );
  const [shown, before] = [at(range.to), at(range.from)];
  if (shown >= 0) State.set({ shown, before });
};

const searching = () => {
  const input = id<HTMLInputElement>("find");
  const output = id("found");
  let timer = 0;
  const search = () => State.set({ find: input.value.trim().toLowerCase().slice(0, 200) });
  const count = () => {
    const counts = new Map<string, number>();
    for (const [name, pane] of panes) {
      const matches = Found.isActive() ? pane.found() : 0;
      counts.set(name, matches);
      pane.count.textContent = matches > 0 ? Units.grouped(matches) : "";
    }
    const [operations, names] = [counts.get("operations") ?? 0, counts.get("tree") ?? 0];
    output.textContent = Found.isActive() ? Units.grouped(operations + names) : "";
    output.title = Found.isActive()
      ? `${Units.counted(operations, "operation")} and ${Units.counted(names, "name")} in the tree`
      : "";
    if (Found.isActive()) Dom.announce(`Found ${output.title}`);
    return counts;
  };
  input.value = State.now.find;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = window.setTimeout(search, 120);
  });
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
      const next = [...names.slice(here + 1), ...names.slice(0, here + 1)].find((name) => (counts.get(name) ?? 0) > 0);
      if (next) State.set({ pane: next });
    }
  });
  State.on(["find", "shown", "before"], () => {
    if (input !== document.activeElement && input.value.trim().toLowerCase() !== State.now.find)
      input.value = State.now.find;
    count();
  });
  if (Found.isActive()) count();
};

export const build = (data: PageData, list: HTMLElement, parts: HTMLElement) => {
  Nodes.use(data);
  const { snapshots } = data;
  const trees = snapshots.flatMap((snapshot, index) => (snapshot.hasTree ? [index] : []));
  const amount = (index: number) => snapshots[index].live ?? data.tree(index)?.total ?? 0;
  if (State.now.shown < 0 && trees.length > 0)
    State.now.shown =
      trees.find((index) => snapshots[index].peak) ??
      trees.reduce((most, index) => (amount(index) > amount(most) ? index : most));
  if (State.now.before < 0 && trees.length > 0) [State.now.before] = trees;
  // A profile alone has no data over time, and a pool's timeline has no operations.
  if (data.began === null || (trees.length > 0 && data.calls.count === 0 && data.operations.length === 0))
    State.now.pane = "tree";
  if (growing(data.sites).length > 0) State.now.pane = "places";
  tabs(list, parts, data);
  // The URL may name a pane, which exists only from here on.
  try {
    const fromUrl = new URLSearchParams(location.hash.slice(1)).get("pane");
    if (fromUrl !== null && panes.has(fromUrl)) State.now.pane = fromUrl;
  } catch {
    // A frame without an address has no URL to read.
  }
  if (!panes.has(State.now.pane)) State.now.pane = ALL[0][0];
  const keys = new Set<Key>(["pane", ...[...panes.values()].flatMap((pane) => pane.keys)]);
  for (const key of keys)
    State.on([key], () => {
      for (const pane of panes.values()) if (pane.keys.includes(key)) pane.stale = true;
    });
  State.on(["range"], () => follow(data));
  State.on([...keys], draw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const pane of panes.values()) pane.stale = true;
    draw();
  });
  searching();
  draw();
};

/** Functions for tests of the page. */
export const debug = {
  rows: (name: string) => {
    const all = panes.get(name)?.element.querySelectorAll<HTMLTableRowElement>("tbody tr:not(.gap)") ?? [];
    return [...all].filter((row) => row.offsetParent).map((row) => [...row.cells].map((cell) => cell.textContent));
  },
  node: (path: string) => panes.get(State.now.pane)?.icicle?.box(path) ?? null,
};
