/** A strip of the whole session: the main curve, the number of calls, and the part in view. */

import * as Axis from "./axis";
import * as Canvas from "./canvas";
import * as Curves from "./curves";
import * as Dom from "./dom";
import * as Gestures from "./gestures";
import * as Palette from "./palette";
import type { PageData } from "./page_data";
import * as State from "./state";

const HEIGHT = 64;
const DENSE = 16;
let data: PageData;
let canvas: HTMLCanvasElement;
let view: HTMLElement;
let selected: HTMLElement;
let drawnFor = "";
let density: Float64Array | null = null;

export const x = (ns: number) => Axis.place.left + (ns / Axis.end()) * Axis.plot();
export const time = (at: number) => ((at - Axis.place.left) / Axis.plot()) * Axis.end();

/** Returns the number of calls in each pixel column, in all lanes. This takes two searches per
 * column and lane. */
const counted = (columns: number) => {
  if (density?.length === columns) return density;
  density = new Float64Array(columns);
  const { start, duration } = data.calls;
  const step = Axis.end() / columns;
  for (const { first, count } of data.lanes) {
    let next = first;
    for (let column = 0; column < columns && next < first + count; column++) {
      const above = Axis.next(start, (column + 1) * step, next, first + count);
      density[column] += above - next;
      // The last call may extend into the next column.
      next = above > next && start[above - 1] + duration[above - 1] > (column + 1) * step ? above - 1 : above;
    }
  }
  return density;
};

/** Draws the strip. The parts that do not depend on the view are drawn again only if the size
 * has changed or `force` is true. */
export const draw = (force = false) => {
  const key = `${Axis.place.width} ${Axis.place.left} ${window.devicePixelRatio}`;
  if (force || key !== drawnFor) {
    drawnFor = key;
    const context = Canvas.cleared(canvas, Axis.place.width, HEIGHT);
    const width = Axis.plot();
    const scale = Canvas.ratio();
    const image = Canvas.pixels(context);
    image.rect(Axis.place.left * scale, 0, (Axis.place.left + width) * scale, HEIGHT * scale, Palette.pixel("--card"));
    const dense = data.calls.count > 0 ? DENSE : 0;
    Curves.outline(image, x, 4, HEIGHT - dense - 2);
    image.put();
    if (dense) {
      const columns = counted(Math.floor(width));
      const most = columns.reduce((one, other) => Math.max(one, other), 1);
      context.fillStyle = Palette.css("--faint");
      for (let column = 0; column < columns.length; column++) {
        if (columns[column] === 0) continue;
        const height = 2 + (DENSE - 4) * Math.sqrt(columns[column] / most);
        context.fillRect(Axis.place.left + column, HEIGHT - height, 1, height);
      }
    }
    context.fillStyle = Palette.css("--faint");
    context.textAlign = "right";
    context.fillText("All", Axis.place.left - 8, 12);
    if (dense) context.fillText("Calls", Axis.place.left - 8, HEIGHT - 9);
    context.textAlign = "left";
  }
  const lay = (element: HTMLElement, from: number, to: number) => {
    element.style.setProperty("transform", `translateX(${x(from)}px)`);
    element.style.setProperty("width", `${Math.max(3, x(to) - x(from))}px`);
  };
  const { from, to, range } = State.now;
  lay(view, from, to);
  selected.hidden = !range;
  if (range) lay(selected, range.from, range.to);
};

export const build = (all: PageData) => {
  data = all;
  canvas = Canvas.make("The whole session. A and D move the part in view, W and S zoom.");
  selected = Dom.make("div", { class: "selected", hidden: true });
  view = Dom.make("div", { class: "brush" }, [Dom.make("i"), Dom.make("i")]);
  const strip = Dom.make("div", { class: "overview" }, [canvas, selected, view]);
  let drag: { part: string; here: number; from: number; to: number; moved: boolean } | null = null;
  const at = (event: MouseEvent) => event.clientX - canvas.getBoundingClientRect().left;
  strip.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const here = at(event);
    const { from, to } = State.now;
    const whole = from <= 0 && to >= Axis.end();
    const part = event.shiftKey
      ? "range"
      : Math.abs(here - x(from)) <= 8
        ? "from"
        : Math.abs(here - x(to)) <= 8
          ? "to"
          : whole
            ? "new"
            : here > x(from) && here < x(to)
              ? "move"
              : "jump";
    drag = { part, here, from, to, moved: false };
    if (part === "jump") {
      Axis.pan(time(here) - (from + to) / 2);
      Object.assign(drag, { part: "move", from: State.now.from, to: State.now.to });
    }
    strip.setPointerCapture(event.pointerId);
    event.preventDefault();
    canvas.focus({ preventScroll: true });
  });
  strip.addEventListener("pointermove", (event) => {
    const here = at(event);
    if (!drag) {
      const edge = [State.now.from, State.now.to].some((one) => Math.abs(here - x(one)) <= 8);
      strip.style.setProperty("cursor", edge ? "ew-resize" : "");
      return;
    }
    if (Math.abs(here - drag.here) > 3) drag.moved = true;
    if (!drag.moved) return;
    const [now, then] = [Math.min(Axis.end(), Math.max(0, time(here))), time(drag.here)];
    if (drag.part === "range") Axis.select(then, now);
    else if (drag.part === "new") Axis.setView(Math.min(then, now), Math.max(then, now));
    else if (drag.part === "from") Axis.setView(Math.min(now, drag.to), Math.max(now, drag.to));
    else if (drag.part === "to") Axis.setView(Math.min(now, drag.from), Math.max(now, drag.from));
    else {
      const start = Math.min(Axis.end() - (drag.to - drag.from), Math.max(0, drag.from + now - then));
      Axis.setView(start, start + drag.to - drag.from);
    }
  });
  strip.addEventListener("wheel", (event) => Gestures.wheel(event, time(at(event))), { passive: false });
  for (const name of ["pointerup", "pointercancel"])
    strip.addEventListener(name, () => {
      drag = null;
    });
  return strip;
};
