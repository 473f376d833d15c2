/** The keyboard, and the dialog that explains keys and mouse. */

import * as Axis from "./axis";
import { announce, button, id, make, put } from "./dom";
import * as Lanes from "./lanes";
import type { PageData } from "./page_data";
import * as Ruler from "./ruler";
import * as State from "./state";
import * as Time from "./time";

let data: PageData;

/** The help: titles of groups, and lines of keys and their meanings. */
const HELP = `View
W  S | zoom in, zoom out; also + and −
A  D | move earlier, later; also ← and → on a chart
F | show the whole session
Ctrl or ⌘ + wheel | zoom at the pointer; on a touch screen, pinch
Shift + wheel, drag | move earlier, later
drag in the top strip | move or resize the part in view

Range of the tables
Shift + drag | select a range
R | select the part in view
Esc | clear the range, the call and the search

Calls
[  ] | previous call, next call in the lane
↑  ↓ | on the lanes: lane above, lane below
Enter | on the lanes: zoom to the call; also double click
/ | find a name; Enter opens the next table that has it
N  Shift + N | next match, previous match

Snapshots and tables
,  . | show the previous snapshot, the next snapshot
<  > | the same for the snapshot to compare with
click, Shift + click on a dot | show the snapshot, compare with it
1  2  3  … | open a table, by its position
? | open or close this help`;

/** Returns keys, or words for actions of the mouse. */
const keyNames = (keys: string) =>
  /drag|click|wheel/.test(keys) ? keys : keys.split("  ").map((key, at) => [at > 0 && " ", make("kbd", {}, key)]);

const help = () => {
  const dialog = id<HTMLDialogElement>("help");
  if (!dialog.firstChild) {
    const group = (text: string) => {
      const [title, ...lines] = text.split("\n");
      const rows = lines.map((line) => {
        const [keys, meaning] = line.split(" | ");
        return make("tr", {}, [make("th", { scope: "row" }, keyNames(keys)), make("td", {}, meaning)]);
      });
      return [make("h3", {}, title), make("table", { class: "keys" }, make("tbody", {}, rows))];
    };
    put(
      dialog,
      make("h2", { id: "help-title" }, "Keys and mouse"),
      HELP.split("\n\n").map(group),
      button("Close", () => dialog.close()),
    );
  }
  if (dialog.open) dialog.close();
  else dialog.showModal();
};

/** Returns the call at which the keys begin if none is chosen: the first visible call of the
 * topmost lane with calls. */
const begin = () => {
  const { from, to } = State.now;
  for (const { first, count } of Lanes.lanes()) {
    const call = Math.max(first, Axis.above(data.calls.start, from, first, first + count) - 1);
    const best = call < first + count && Lanes.end(call) < from ? call + 1 : call;
    if (best < first + count && data.calls.start[best] <= to) return best;
  }
  return 0;
};
const along = (step: number) => {
  if (data.calls.count === 0) return;
  const { call } = State.now;
  if (call < 0) {
    Time.choose(begin());
    return;
  }
  const lane = Lanes.rowOf(call)?.lane;
  if (!lane) return;
  const { first, count } = lane;
  const next = call + step;
  if (next < first || next >= first + count)
    announce(step < 0 ? "the first call of this lane" : "the last call of this lane");
  else Time.choose(next);
};
/** Moves to the call of another lane that is nearest in time. */
const across = (step: number) => {
  if (data.calls.count === 0) return;
  const { call } = State.now;
  if (call < 0) {
    Time.choose(begin());
    return;
  }
  const lanes = Lanes.lanes();
  const { start } = data.calls;
  const here = Lanes.rowOf(call)?.lane;
  const lane = here && lanes[lanes.indexOf(here) + step];
  if (!lane) {
    announce(step < 0 ? "the first lane" : "the last lane");
    return;
  }
  const after = Axis.above(start, start[call], lane.first, lane.first + lane.count);
  const before = Math.max(lane.first, after - 1);
  const near =
    after < lane.first + lane.count && start[after] - start[call] < start[call] - Lanes.end(before) ? after : before;
  Time.choose(near);
};

/** Moves to the next (or previous) match after the chosen call, by start. After the last match
 * comes the first. */
const found = (step: number) => {
  const all = Lanes.matches();
  if (!all || all.length === 0) {
    announce(all ? "no match" : "the search is empty");
    return;
  }
  const { start } = data.calls;
  const { call } = State.now;
  const from = call >= 0 ? start[call] : State.now.from - 1;
  const later = (a: number, b: number) => start[a] - start[b] || a - b;
  // Matches are sorted within each lane only, so the loop finds the next one among the matches of
  // all lanes.
  let best = -1;
  let wrap = -1;
  for (const one of all) {
    if (one === call) continue;
    const ahead = (call >= 0 ? later(one, call) : start[one] - from) * step > 0;
    if (ahead && (best < 0 || later(one, best) * step < 0)) best = one;
    if (wrap < 0 || later(one, wrap) * step < 0) wrap = one;
  }
  const next = best >= 0 ? best : wrap;
  if (next >= 0) Time.choose(next);
};

const snapshot = (step: number, compared: boolean) => {
  const index = State.now[compared ? "before" : "shown"];
  const next = index < 0 ? (step > 0 ? 0 : data.snapshots.length - 1) : index + step;
  if (data.snapshots[next]) Ruler.choose(next, compared);
  else announce(step < 0 ? "the first snapshot" : "the last snapshot");
};

const view = () => State.now.to - State.now.from;
const MOVES: Record<string, () => void> = {
  w: () => Axis.zoom(1 / 1.5),
  s: () => Axis.zoom(1.5),
  "+": () => Axis.zoom(1 / 1.5),
  "=": () => Axis.zoom(1 / 1.5),
  "-": () => Axis.zoom(1.5),
  a: () => Axis.pan(-view() / 5),
  d: () => Axis.pan(view() / 5),
  f: Time.all,
  r: Time.rangeOfView,
};
const KEYS: Record<string, () => void> = {
  "[": () => along(-1),
  "]": () => along(1),
  n: () => found(1),
  N: () => found(-1),
  ",": () => snapshot(-1, false),
  ".": () => snapshot(1, false),
  "<": () => snapshot(-1, true),
  ">": () => snapshot(1, true),
  "?": help,
  "/": () => {
    id("find").focus();
    id<HTMLInputElement>("find").select();
  },
  Escape: () => {
    Time.leave();
    State.set({ range: null, call: -1, find: "" });
  },
};
// Outside canvases, these keys scroll the page or press a button.
const ON_CANVAS: Record<string, () => void> = {
  ArrowLeft: MOVES.a,
  ArrowRight: MOVES.d,
  ArrowUp: () => across(-1),
  ArrowDown: () => across(1),
  Enter: () => {
    if (State.now.call >= 0) Time.fit(State.now.call);
  },
};

const press = (event: KeyboardEvent) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const on = event.target instanceof Element ? event.target : document.body;
  if (on.closest("input, select, textarea, dialog, [contenteditable]")) return;
  const tabs = document.querySelectorAll<HTMLElement>("#tabs [role=tab]");
  const pane = /^[1-9]$/.test(event.key) ? tabs[Number(event.key) - 1] : null;
  const key = event.key.length === 1 && event.key !== "N" ? event.key.toLowerCase() : event.key;
  const run = pane
    ? () => pane.click()
    : (KEYS[key] ?? (Time.is() ? MOVES[key] : null) ?? (on.closest("#time canvas") ? ON_CANVAS[key] : null));
  if (!run) return;
  event.preventDefault();
  run();
};

export const build = (all: PageData) => {
  data = all;
  document.addEventListener("keydown", press);
  id("keys").addEventListener("click", help);
};
