/** Calls of operations in lanes, thread by thread. Only visible calls are drawn. A lane costs at
 * most one search per pixel column, for any number of calls. */

import * as Axis from "./axis";
import type { Pixels } from "./canvas";
import * as Canvas from "./canvas";
import { button, make } from "./dom";
import { BETWEEN, layOut, ROW, type Rows } from "./lane_rows";
import * as Palette from "./palette";
import type { Calls, Lane, PageData } from "./page_data";
import * as State from "./state";
import * as Tooltip from "./tooltip";
import * as Units from "./units";

const BAR = 18;
/** The width of the name on a lane of one operation. */
const NAME_WIDTH = 120;

/** A call that is wide enough for its name, and whether it matches the search. */
interface Label {
  name: string;
  left: number;
  width: number;
  top: number;
  is: boolean;
}

let data: PageData;
let calls: Calls;
let scroller: HTMLElement;
const note = make("span", { class: "faint more" });
let canvas: HTMLCanvasElement | undefined;
let outline: HTMLElement;
let { rows, threads, total, hidden }: Rows = { rows: [], threads: [], total: 0, hidden: 0 };
let shows: "few" | "all" = "few";
let inner: HTMLElement;
let redrawn: () => void;
const toggle = button([], () => show(shows === "few" ? "all" : "few"));
/** Calls whose name matches the search, in rising order; `null` without a search. */
let found: Uint32Array | null = null;
let foundFor = "";
/** `true` while the page is printed. Paper cannot scroll, so all lanes that fit on a canvas are
 * drawn. */
let onPaper = false;
let scrolled = 0;

const lay = () => {
  ({ rows, threads, total, hidden } = layOut(data.threads, data.lanes, shows));
  toggle.hidden = hidden === 0 && shows === "few";
  toggle.textContent = shows === "few" ? `Show all ${Units.grouped(data.lanes.length)} lanes` : "Show fewer lanes";
};

/** Shows few lanes, or all. */
const show = (next: "few" | "all") => {
  shows = next;
  lay();
  inner.style.setProperty("height", `${total}px`);
  redrawn();
};

const visible = () =>
  onPaper
    ? Math.min(total, Math.floor(Canvas.MAX_HEIGHT / Canvas.ratio()))
    : Math.max(BAR + 4, Math.min(total, Math.round(window.innerHeight * 0.6), 1360));
/** Returns the time at which a call ended. */
export const end = (call: number) => calls.start[call] + calls.duration[call];
const path = (call: number) => data.paths[calls.path[call]];

/** Returns the position of a call in the canvas, `left..right`. It is at least one pixel wide. */
const extent = (call: number) => {
  const left = Math.round(Axis.x(calls.start[call]));
  return [left, Math.max(left + 1, Math.round(Axis.x(end(call))))];
};

const laneOf = (call: number) => data.lanes.find(({ first, count }) => call >= first && call < first + count);
const threadOf = (call: number) => {
  const thread = laneOf(call)?.thread;
  return data.threads.find(({ number }) => number === thread)?.whole ?? "unknown";
};
export const rowOf = (call: number) => rows.find(({ lane }) => call >= lane.first && call < lane.first + lane.count);

/** Draws a lane into pixels of the screen, and collects the calls that are wide enough for
 * their name. */
const drawLane = (image: Pixels, { first, count }: Lane, top: number, labels: Label[]) => {
  const { start, duration } = calls;
  const { from, to } = State.now;
  const scale = Canvas.ratio();
  const step = Axis.perPixel() / scale;
  const left = Math.round(Axis.place.left * scale);
  const right = Math.round((Axis.place.left + Axis.plot()) * scale);
  const begin = Axis.place.left * scale - from / step;
  const last = first + count;
  const row = Math.max(0, Math.round(top * scale));
  const line = row * image.width;
  const seam = Math.max(1, Math.round(scale));
  const paint = (x0: number, x1: number, colour: number) => {
    const [a, b] = [Math.max(left, x0), Math.min(right, x1)];
    if (b - a === 1) image.pixels32[line + a] = colour;
    else if (b > a) image.pixels32.fill(colour, line + a, line + b);
  };
  let call = Math.max(first, Axis.above(start, from, first, last) - 1);
  if (call < last && end(call) < from) call++;
  while (call < last && start[call] <= to) {
    if (duration[call] >= 2 * step) {
      const x0 = Math.round(begin + start[call] / step);
      let x1 = Math.round(begin + end(call) / step);
      // A seam separates neighbouring calls of the same colour.
      if (x1 - x0 > 3 * seam) x1 -= seam;
      const is = found === null || isFound(call);
      paint(x0, x1, is ? Palette.bar(calls.path[call]) : Palette.dim(calls.path[call]));
      const [a, b] = [Math.max(left, x0) / scale, Math.min(right, x1) / scale];
      if (b - a >= 26) labels.push({ name: path(call).name, left: a, width: b - a, top, is });
      call++;
      continue;
    }
    // Columns are fixed to the time axis and not to the window, so that merged calls do not
    // flicker in panning.
    const column = Math.floor(start[call] / step);
    const until = (column + 1) * step;
    let next = call + 1;
    if (next < last && start[next] < until) {
      next = Axis.next(start, until - 1e-6, next, last);
      // A call that continues for longer is drawn separately.
      if (next - 1 > call && duration[next - 1] >= 2 * step) next--;
    }
    const hit = found === null ? call : foundIn(call, next);
    const x0 = Math.round(begin + column);
    const x1 = next === call + 1 ? Math.max(x0 + 1, Math.round(begin + end(call) / step)) : x0 + 1;
    paint(x0, x1, hit >= 0 ? Palette.bar(calls.path[hit]) : Palette.dim(calls.path[call]));
    call = next;
  }
  // The other lines of the bar are copies of the first.
  const bottom = Math.min(image.height, Math.round((top + BAR) * scale));
  for (let y = row + 1; y < bottom; y++) image.pixels32.copyWithin(y * image.width, line, line + image.width);
};

const foundIn = (first: number, last: number) => {
  if (found === null) return -1;
  const at = Axis.above(found, first - 1, 0, found.length);
  return at < found.length && found[at] < last ? found[at] : -1;
};
const isFound = (call: number) => foundIn(call, call + 1) >= 0;

/** Finds the calls that match the search, by the names of their paths. */
const search = () => {
  const { find } = State.now;
  if (find === foundFor) return;
  foundFor = find;
  found = null;
  if (!find) return;
  const names = data.paths.map(({ whole }) => whole.toLowerCase().includes(find));
  let count = 0;
  for (let call = 0; call < calls.count; call++) if (names[calls.path[call]]) count++;
  found = new Uint32Array(count);
  count = 0;
  for (let call = 0; call < calls.count; call++) if (names[calls.path[call]]) found[count++] = call;
};

export const draw = () => {
  if (!canvas) return;
  search();
  const height = visible();
  scroller.style.setProperty("height", `${height}px`);
  // Some systems show scroll bars only during scrolling. Then only this text shows that there are
  // more lanes.
  const lanes = Units.counted(data.lanes.length, "lane");
  const all = `${hidden > 0 ? `${rows.length} of ${lanes}` : lanes} of ${Units.counted(data.threads.length, "thread")}`;
  const printed = rows.filter(
    ({ top }) => top >= scroller.scrollTop && top + BAR <= scroller.scrollTop + height,
  ).length;
  const hint = onPaper ? `, ${Units.grouped(printed)} printed` : total > height ? ", scroll to see the rest" : "";
  const grouped = data.lanes.some(({ operation }) => operation !== null);
  note.textContent = `${all}${hint}. Each bar is a call${grouped ? ". A thread with many concurrent calls has lanes for each operation" : ""}.`;
  const context = Canvas.cleared(canvas, Axis.place.width, height);
  const scroll = scroller.scrollTop;
  const { left, width } = Axis.place;
  const labels: Label[] = [];
  const image = Canvas.pixels(context);
  const first = Math.max(
    0,
    rows.findIndex(({ top }) => top + BAR > scroll),
  );
  for (let row = first; row < rows.length && rows[row].top < scroll + height; row++)
    drawLane(image, rows[row].lane, rows[row].top - scroll, labels);
  image.put();
  context.strokeStyle = Palette.css("--edge");
  context.lineWidth = 1;
  context.beginPath();
  for (const thread of threads) {
    if (thread.bottom < scroll || thread.top > scroll + height || thread.top < 9) continue;
    const y = Math.round(thread.top - BETWEEN / 2 - scroll) + 0.5;
    context.moveTo(0, y);
    context.lineTo(width - Axis.place.right, y);
  }
  context.stroke();
  context.textAlign = "left";
  const [ink, faint] = [Palette.label(), Palette.css("--faint")];
  for (const label of labels) {
    const text = Canvas.cut(context, label.name, label.width - 8);
    if (!text) continue;
    context.fillStyle = label.is ? ink : faint;
    context.fillText(text, label.left + 4, label.top + BAR / 2 + 1);
  }
  drawNames(context, scroll, height);
  drawCall(context, scroll);
  // The name of a thread stays visible while one of its lanes is visible.
  context.fillStyle = Palette.css("--ink");
  context.textAlign = "right";
  for (const thread of threads) {
    if (thread.bottom < scroll || thread.top > scroll + height) continue;
    const y = Math.min(thread.bottom - ROW / 2 - 1, Math.max(thread.top + BAR / 2, scroll + BAR / 2 + 2)) - scroll;
    const { name, number } = thread.label;
    context.fillText(Canvas.cut(context, name, left - 10 - Canvas.width(context, number)) + number, left - 8, y + 1);
  }
};

/** Draws the name of the operation on each lane that has the calls of one operation. */
const drawNames = (context: CanvasRenderingContext2D, scroll: number, height: number) => {
  for (const { top, lane } of rows) {
    if (lane.operation === null || top + BAR < scroll || top > scroll + height) continue;
    const text = Canvas.cut(context, data.paths[lane.operation].name, NAME_WIDTH);
    context.fillStyle = Palette.css("--paper");
    context.fillRect(Axis.place.left, top - scroll, Canvas.width(context, text) + 10, BAR);
    context.fillStyle = Palette.css("--ink");
    context.fillText(text, Axis.place.left + 4, top - scroll + BAR / 2 + 1);
  }
};

/** Draws a frame around the chosen call. */
const drawCall = (context: CanvasRenderingContext2D, scroll: number) => {
  const { call } = State.now;
  const row = call >= 0 ? rowOf(call) : null;
  if (!row || end(call) < State.now.from || calls.start[call] > State.now.to) return;
  let [x0, x1] = extent(call);
  x0 = Math.max(Axis.place.left - 4, x0);
  x1 = Math.min(Axis.place.left + Axis.plot() + 4, Math.max(x0 + 3, x1));
  context.lineWidth = 2;
  context.strokeStyle = Palette.css("--paper");
  context.strokeRect(x0 - 2, row.top - scroll - 2, x1 - x0 + 4, BAR + 4);
  context.strokeStyle = Palette.css("--ink");
  context.strokeRect(x0, row.top - scroll, x1 - x0, BAR);
};

/** Returns the call at a point of the canvas or within three pixels of it, or -1. */
export const hit = (x: number, y: number) => {
  const at = y + scroller.scrollTop;
  const row = rows.find(({ top }) => at >= top && at < top + ROW);
  if (!row || x < Axis.place.left || x > Axis.place.left + Axis.plot()) return -1;
  const { first, count } = row.lane;
  const ns = Axis.time(x);
  const after = Axis.above(calls.start, ns, first, first + count);
  const far = (call: number) =>
    call < first || call >= first + count
      ? Infinity
      : Math.max(0, calls.start[call] - ns, ns - end(call)) / Axis.perPixel();
  const [one, other] = [far(after - 1), far(after)];
  if (Math.min(one, other) > 3) return -1;
  return one <= other ? after - 1 : after;
};

/** Describes a call: a title and rows. */
export const about = (call: number): [string, [string, string][]] => {
  const { name, whole, where } = path(call);
  const delta = calls.delta[call];
  const all: [string, string][] = [
    ["operation", whole.replace(/;/g, " › ")],
    ["duration", `${Units.span(calls.duration[call])} · ${Units.grouped(calls.duration[call])}\u00a0ns`],
    ["change", Number.isNaN(delta) ? "unknown" : `${Units.change(delta)} · ${Units.exact(delta)}`],
    ["before", Tooltip.bytes(calls.before[call])],
    ["after", Tooltip.bytes(calls.after[call])],
    ["start", Units.moment(calls.start[call])],
    ["end", Units.moment(end(call))],
    ["thread", threadOf(call)],
  ];
  if (!Number.isNaN(calls.tensors[call])) all.splice(3, 0, ["tensors", Tooltip.bytes(calls.tensors[call])]);
  if (where) all.push(["location", where]);
  return [name, all];
};

export const rectangle = (call: number) => {
  const row = call >= 0 ? rowOf(call) : null;
  if (!row || !canvas) return null;
  const box = canvas.getBoundingClientRect();
  const [x0, x1] = extent(call);
  const [a, b] = [Math.max(x0, Axis.place.left), Math.min(x1, Axis.place.left + Axis.plot())];
  const top = row.top - scroller.scrollTop;
  if (b <= a || top < 0 || top + BAR > visible()) return null;
  return { x: box.left + a, y: box.top + top, width: b - a, height: BAR };
};

/** Draws a frame around the call under the pointer, without redrawing the canvas. */
export const frame = (call: number) => {
  const box = call >= 0 ? rectangle(call) : null;
  outline.hidden = !box;
  if (!box || !canvas) return;
  const base = canvas.getBoundingClientRect();
  outline.style.setProperty("transform", `translate(${box.x - base.left}px, ${box.y - base.top}px)`);
  outline.style.setProperty("width", `${Math.max(3, box.width)}px`);
};

const print = (begins: boolean) => {
  if (!canvas || onPaper === begins) return;
  const scroll = scroller.scrollTop;
  onPaper = begins;
  draw();
  if (begins) scrolled = scroll;
  else scroller.scrollTop = scrolled;
};

const none = () => {
  const counted = data.operations.length > 0;
  return make(
    "p",
    { class: "faint none" },
    counted
      ? "The file has no individual calls. The table below has the counts of all calls."
      : [
          `No operations were recorded. Name parts of the program, for example with `,
          make("code", {}, `let _operation = memprof::operation!("load");`),
          `, and record again. Each call is then drawn here.`,
        ],
  );
};

/** Returns the calls that match the search; `null` without a search. */
export const matches = () => {
  search();
  return found;
};

export const lanes = () => rows.map(({ lane }) => lane);

export const name = (call: number) => path(call).name;

/** Scrolls so that a call's lane is visible. */
export const reveal = (call: number) => {
  if (!rowOf(call)) show("all");
  const row = rowOf(call);
  if (!row) return;
  const height = visible();
  if (row.top < scroller.scrollTop + 2) scroller.scrollTop = row.top - 4;
  else if (row.top + ROW > scroller.scrollTop + height) scroller.scrollTop = row.top + ROW + 4 - height;
};

export const scroll = (pixels: number) => {
  scroller.scrollTop += pixels;
};

/** Returns the note on the lanes, and the button that shows all. */
export const more = () => (calls.count > 0 ? [note, toggle] : []);

export const build = (all: PageData, attach: (canvas: HTMLCanvasElement) => void, redraw: () => void) => {
  data = all;
  calls = data.calls;
  if (calls.count === 0) return none();
  redrawn = redraw;
  lay();
  canvas = Canvas.make(
    `Operations: ${Units.grouped(calls.count)} calls in ${rows.length} lanes of ${threads.length} threads. The bracket keys step through the calls of a lane, the up and down arrows change the lane, Enter zooms to a call.`,
  );
  outline = make("div", { class: "outline", hidden: true });
  inner = make("div", { class: "lanes-all" }, [make("div", { class: "lanes-seen" }, [canvas, outline])]);
  inner.style.setProperty("height", `${total}px`);
  scroller = make("div", { class: "lanes", id: "lanes" }, inner);
  scroller.addEventListener("scroll", redraw, { passive: true });
  attach(canvas);
  addEventListener("beforeprint", () => print(true));
  addEventListener("afterprint", () => print(false));
  return scroller;
};
