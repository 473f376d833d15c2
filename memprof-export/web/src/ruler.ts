/** The ruler above the charts: times, flags of marks, and a dot for each snapshot. */

import * as Axis from "./axis";
import * as Canvas from "./canvas";
import * as Chooser from "./chooser";
import * as Dom from "./dom";
import { make } from "./dom";
import * as Palette from "./palette";
import type { PageData, Snapshot } from "./page_data";
import * as State from "./state";
import * as Tooltip from "./tooltip";
import * as Units from "./units";

/** A flag, or the number of flags that do not fit. */
interface Placed {
  left: number;
  right: number;
  top: number;
  bottom: number;
  marks: Contents.Mark[];
}

const TIMES = 22;
const FLAG = 19;
const DOTS = 26;
let data: PageData;
let canvas: HTMLCanvasElement;
let marks: Contents.Mark[] = [];
let flags: Contents.Mark[] = [];
let rows = 0;
/** The positions of the drawn flags and dots, for the pointer:
 * `{left, right, top, bottom, marks}` and `{x, index, beside}`. */
let placed: Placed[] = [];
let dots: { x: number; index: number; beside: number }[] = [];

/** Returns the index of the first mark or snapshot at or after a time. */
const first = (at: number, all: readonly { at: number }[] = data.snapshots) => {
  let [low, high] = [0, all.length];
  while (low < high) {
    const half = (low + high) >>> 1;
    if (all[half].at >= at) high = half;
    else low = half + 1;
  }
  return low;
};

const height = () => TIMES + rows * FLAG + (data.snapshots.length > 0 ? DOTS : 4);
const middle = () => TIMES + rows * FLAG + DOTS / 2 - 2;

const COLOURS: Record<Contents.MarkKind, string> = {
  checkpoint: "--accent",
  peak: "--warn",
  out_of_memory: "--limit",
  signal: "--faint",
};
const colour = (mark: Contents.Mark) => Palette.css(COLOURS[mark.kind]);

/** Draws the line of a mark: dashed for marks from the program, solid for all others. */
const line = (context: CanvasRenderingContext2D, mark: Contents.Mark, top: number, bottom: number) => {
  const at = Math.round(Axis.x(mark.at)) + 0.5;
  context.strokeStyle = colour(mark);
  context.lineWidth = mark.kind === "out_of_memory" ? 2 : 1;
  context.setLineDash(mark.kind === "checkpoint" ? [4, 3] : mark.kind === "signal" ? [1, 3] : []);
  context.beginPath();
  context.moveTo(at, top);
  context.lineTo(at, bottom);
  context.stroke();
  context.setLineDash([]);
};

const inView = <T extends { at: number }>(all: T[]) => {
  const { from, to } = State.now;
  let last = first(to, all);
  while (last < all.length && all[last].at <= to) last++;
  return all.slice(first(from, all), last);
};

/** Returns marks that are at least three pixels apart. Out-of-memory marks are never left out. */
const apart = (some: Contents.Mark[]) => {
  let last = -9;
  return some.filter((mark) => {
    const at = Axis.x(mark.at);
    if (at - last < 3 && mark.kind !== "out_of_memory") return false;
    last = at;
    return true;
  });
};

/** Draws lines through a chart: for the chosen snapshots and for all marks except the peak,
 * which has its own sign. */
export const lines = (context: CanvasRenderingContext2D, top: number, bottom: number) => {
  const { from, to, shown, before } = State.now;
  const visible = inView(marks);
  // Hundreds of lines would hide the curves, so then only marks with a flag get a line.
  const flagged = new Set(placed.flatMap((one) => (one.marks.length === 1 ? one.marks : [])));
  for (const mark of apart(visible.length > 40 ? visible.filter((one) => flagged.has(one)) : visible))
    line(context, mark, top, bottom);
  for (const index of [before, shown]) {
    const one = data.snapshots[index];
    if (!one || one.at < from || one.at > to) continue;
    context.strokeStyle = Palette.css("--accent");
    context.globalAlpha = 0.55;
    context.lineWidth = 1;
    context.strokeRect(Math.round(Axis.x(one.at)) + 0.5, top, 0, bottom - top);
    context.globalAlpha = 1;
  }
};

const drawTimes = (context: CanvasRenderingContext2D) => {
  context.fillStyle = Palette.css("--faint");
  context.strokeStyle = Palette.css("--edge");
  context.lineWidth = 1;
  context.textAlign = "left";
  context.beginPath();
  for (const { at, text } of Axis.moments((word) => Canvas.width(context, word))) {
    const x = Math.round(Axis.x(at)) + 0.5;
    context.moveTo(x, 3);
    context.lineTo(x, TIMES);
    if (x + 4 + Canvas.width(context, text) <= Axis.place.width) context.fillText(text, x + 4, TIMES / 2 + 1);
  }
  context.stroke();
};

/** Draws the flags that fit, in rows. The gutter contains the number of the other flags. */
const drawFlags = (context: CanvasRenderingContext2D) => {
  placed = [];
  if (rows === 0) return;
  const right = Axis.place.width;
  const unplaced: Contents.Mark[] = [];
  const drawn: { mark: Contents.Mark; at: number; left: number; width: number; row: number; grave: boolean }[] = [];
  const free = new Array(rows).fill(0);
  const put = (mark: Contents.Mark) => {
    const at = Axis.x(mark.at);
    const width = Math.min(right < 600 ? 120 : 190, Canvas.width(context, mark.text) + 12);
    const left = at + width > right ? at - width : at;
    const row = free.findIndex(
      (used, one) =>
        left >= used &&
        !drawn.some(
          (other) =>
            other.row === one && other.grave && left < other.left + other.width + 4 && other.left < left + width + 4,
        ),
    );
    if (row < 0) {
      unplaced.push(mark);
      return;
    }
    const grave = mark.kind === "out_of_memory";
    if (!grave) free[row] = left + width + 4;
    drawn.push({ mark, at, left, width, row, grave });
  };
  const visible = inView(flags);
  // Out-of-memory marks always keep their flags.
  for (const mark of visible) if (mark.kind === "out_of_memory") put(mark);
  for (const mark of visible) if (mark.kind !== "out_of_memory") put(mark);
  for (const { mark, at, left, width, row } of drawn) {
    const top = TIMES + row * FLAG;
    line(context, mark, top, height());
    context.fillStyle = colour(mark);
    context.fillRect(at < left + 1 ? left : left + width - 3, top, 3, FLAG - 3);
    context.fillStyle = Palette.css("--card");
    context.fillRect(at < left + 1 ? left + 3 : left, top, width - 3, FLAG - 3);
    context.fillStyle = mark.kind === "out_of_memory" ? colour(mark) : Palette.css("--ink");
    context.fillText(Canvas.cut(context, mark.text, width - 9), left + 6, top + FLAG / 2 - 1);
    placed.push({ left, right: left + width, top, bottom: top + FLAG - 3, marks: [mark] });
  }
  if (unplaced.length === 0) return;
  for (const mark of apart(unplaced)) line(context, mark, TIMES + rows * FLAG - 5, height());
  const text = `+${unplaced.length}`;
  context.fillStyle = Palette.css("--faint");
  context.textAlign = "right";
  context.fillText(text, Axis.place.left - 8, TIMES + FLAG / 2 - 1);
  context.textAlign = "left";
  placed.push({
    left: Axis.place.left - 8 - context.measureText(text).width,
    right: Axis.place.left - 8,
    top: TIMES,
    bottom: TIMES + FLAG,
    marks: unplaced,
  });
};

const drawDots = (context: CanvasRenderingContext2D) => {
  dots = [];
  const { from, to, shown, before } = State.now;
  const all = data.snapshots;
  if (all.length === 0) return;
  const y = middle();
  context.fillStyle = Palette.css("--faint");
  context.textAlign = "right";
  context.fillText(Canvas.cut(context, "Snapshots", Axis.place.left - 12), Axis.place.left - 12, y);
  context.textAlign = "center";
  const draw = (index: number, letter: string) => {
    const x = Axis.x(all[index].at);
    context.beginPath();
    context.arc(x, y, letter ? 9 : all[index].hasTree ? 4 : 3, 0, 7);
    context.lineWidth = 1.5;
    context.fillStyle = Palette.css(letter || all[index].hasTree ? "--accent" : "--paper");
    context.strokeStyle = Palette.css(letter ? "--paper" : "--accent");
    context.fill();
    context.stroke();
    if (letter) {
      context.font = Palette.font(12, "bold");
      context.fillStyle = Palette.css("--paper");
      context.fillText(letter, x, y + 0.5);
      context.font = Palette.font();
    }
  };
  // Dots that would overlap become one dot, for a snapshot with a tree if there is one.
  const gap = 9 * Axis.perPixel();
  for (let index = first(from); index < all.length && all[index].at <= to;) {
    const next = Math.max(index + 1, first(all[index].at + gap));
    let best = index;
    for (let one = index; one < Math.min(next, index + 64); one++)
      if (all[one].hasTree) {
        best = one;
        break;
      }
    draw(best, "");
    dots.push({ x: Axis.x(all[best].at), index: best, beside: next - index - 1 });
    index = next;
  }
  const chosen: [number, string][] =
    shown === before
      ? [[shown, "B"]]
      : [
          [before, "A"],
          [shown, "B"],
        ];
  for (const [index, letter] of chosen) {
    if (all[index] && all[index].at >= from && all[index].at <= to) {
      draw(index, letter);
      dots.unshift({ x: Axis.x(all[index].at), index, beside: 0 });
    }
  }
  context.textAlign = "left";
};

export const draw = () => {
  const context = Canvas.cleared(canvas, Axis.place.width, height());
  drawTimes(context);
  drawFlags(context);
  drawDots(context);
};

/** Returns what is at a point of the ruler: `{marks}`, `{snapshot}`, or nothing. */
export const hit = (x: number, y: number): { marks: Contents.Mark[] } | { snapshot: number; beside: number } | null => {
  const flag = placed.find((one) => x >= one.left && x <= one.right && y >= one.top && y <= one.bottom);
  if (flag) return { marks: flag.marks };
  if (Math.abs(y - middle()) > DOTS / 2) return null;
  const dot = dots.filter((one) => Math.abs(one.x - x) <= 9).sort((a, b) => Math.abs(a.x - x) - Math.abs(b.x - x))[0];
  return dot ? { snapshot: dot.index, beside: dot.beside } : null;
};

/** Shows a snapshot, or compares the shown one with it. */
export const choose = (index: number, compare: boolean) => {
  const one = data.snapshots[index];
  if (!one) return;
  State.set(compare ? { before: index } : { shown: index });
  Dom.announce(`${compare ? "Compared with" : "Showing"} ${describe(one)}`);
};
const describe = (one: Snapshot) =>
  `snapshot ${one.number}${one.name ? ` “${one.name}”` : ""} at ${Units.span(one.at)}`;

export const showTooltip = (x: number, y: number, clientX: number, clientY: number) => {
  const found = hit(x, y);
  canvas.style.setProperty("cursor", found ? "pointer" : "");
  if (!found) {
    Tooltip.hide();
    return;
  }
  if ("marks" in found) {
    const [one] = found.marks;
    if (found.marks.length === 1)
      Tooltip.show(clientX, clientY, one.text, [
        ["kind", one.kind.replace(/_/g, " ")],
        ["time", Units.moment(one.at)],
      ]);
    else
      Tooltip.show(
        clientX,
        clientY,
        `${found.marks.length} more marks in view`,
        found.marks.slice(0, 12).map((mark): [string, string] => [Units.span(mark.at), mark.text]),
      );
    return;
  }
  const one = data.snapshots[found.snapshot];
  const nearby: [string, string][] =
    found.beside > 0 ? [["nearby", `${Units.grouped(found.beside)} more; zoom in to see them`]] : [];
  Tooltip.show(clientX, clientY, `Snapshot ${one.number}${one.name ? ` “${one.name}”` : ""}`, [
    ["time", Units.moment(one.at)],
    ["reason", Chooser.reason(one)],
    ["live heap", Tooltip.bytes(one.live)],
    ["resident", Tooltip.bytes(one.resident)],
    ["tree", one.hasTree ? "click to show it, Shift + click to compare with it" : "not in this page"],
    ...nearby,
  ]);
};

export const build = (all: PageData) => {
  data = all;
  marks = data.marks.filter((mark) => mark.kind !== "peak").sort((a, b) => a.at - b.at);
  flags = marks.filter((mark) => mark.text);
  rows = flags.length > 3 ? 2 : flags.length > 0 ? 1 : 0;
  canvas = Canvas.make(
    `Time axis with ${data.marks.length} marks and ${data.snapshots.length} snapshots. Comma and full stop step through the snapshots.`,
  );
  canvas.classList.add("ruler");
  return canvas;
};

export const click = (x: number, y: number, event: MouseEvent) => {
  const found = hit(x, y);
  if (!found) return false;
  if ("snapshot" in found) choose(found.snapshot, event.shiftKey);
  else if (found.marks[0].snapshot !== null) choose(found.marks[0].snapshot, event.shiftKey);
  return true;
};

/** Returns the meanings of the signs on the ruler and on the curves, without unused ones. */
export const legend = () => {
  const kinds = new Set(data.marks.map(({ kind }) => kind));
  const trees = data.snapshots.filter(({ hasTree }) => hasTree).length;
  const sign = (name: string, text: string, letter = "") =>
    make("span", {}, [make("i", { class: `mark ${name}`, "aria-hidden": "true" }, letter), text]);
  return make("p", { class: "faint signs", id: "signs" }, [
    trees > 0 && sign("dot", "snapshot with a tree: click to show it"),
    trees < data.snapshots.length && sign("ring", "snapshot without a tree"),
    trees > 1 && sign("letter", "compared with", "A"),
    trees > 0 && sign("letter", "shown", "B"),
    kinds.has("peak") && sign("peak", "peak"),
    kinds.has("checkpoint") && sign("checkpoint", "checkpoint of the program"),
    kinds.has("out_of_memory") && sign("refused", "refused allocation"),
    kinds.has("signal") && sign("signal", "signal"),
  ]);
};
