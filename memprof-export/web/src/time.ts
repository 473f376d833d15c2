/** The time view of the page. It puts curves, calls and marks on one axis, and redraws the changed
 * parts before a frame. */

import * as Axis from "./axis";
import type { DrawnChart } from "./curves";
import * as Curves from "./curves";
import * as Dom from "./dom";
import { announce, make, put } from "./dom";
import * as Gestures from "./gestures";
import * as Lanes from "./lanes";
import * as Overview from "./overview";
import * as Palette from "./palette";
import * as Points from "./points";
import type { PageData } from "./page_data";
import * as Ruler from "./ruler";
import * as State from "./state";
import * as Tooltip from "./tooltip";
import * as Units from "./units";

/** The state of a button. */
interface ButtonState {
  isPressed?: () => boolean;
  isEnabled?: () => boolean;
}

let data: PageData;
let stack: HTMLElement | undefined;
let line: HTMLElement;
let selected: HTMLElement;
let inView: HTMLElement;
let cursor: number | null = null;
let pending = 0;
/** Updates the tooltip of the call or mark under the pointer, which may differ after a zoom. */
let pointed: (() => void) | null = null;
const toggles: ({ button: HTMLButtonElement } & ButtonState)[] = [];

const draw = () => {
  if (!stack) return;
  cancelAnimationFrame(pending);
  pending = 0;
  Axis.resize(stack.clientWidth);
  Ruler.draw();
  Curves.draw();
  Lanes.draw();
  Overview.draw();
  shade();
  showInView();
  pointed?.();
};
/** Draws once before the next frame, for any number of requests. */
const redraw = () => {
  if (pending === 0) pending = requestAnimationFrame(draw);
};

/** Moves the range to its place. The range and the cursor are elements over the canvases, so no
 * canvas is redrawn. */
const shade = () => {
  if (!stack) return;
  const { range } = State.now;
  stack.style.setProperty("--left", `${Axis.place.left}px`);
  stack.style.setProperty("--right", `${Axis.place.right}px`);
  selected.hidden = !range;
  if (!range) return;
  const width = Axis.plot();
  const [left, right] = [range.from, range.to].map((at) =>
    Math.min(width + 4, Math.max(-4, Axis.x(at) - Axis.place.left)),
  );
  selected.style.setProperty("transform", `translateX(${left}px)`);
  selected.style.setProperty("width", `${Math.max(1, right - left)}px`);
};

const point = (x: number | null) => {
  const inside = x !== null && x >= Axis.place.left && x <= Axis.place.left + Axis.plot() ? x : null;
  cursor = inside === null ? null : Axis.time(inside);
  line.hidden = inside === null;
  if (inside !== null) line.style.setProperty("transform", `translateX(${Math.round(inside - Axis.place.left)}px)`);
  Curves.showValues(cursor);
};

const showInView = () => {
  const { from, to, range } = State.now;
  const whole = from <= 0 && to >= Axis.end();
  const text = `${whole ? `whole session: ${Units.span(to)}` : `${Units.span(to - from)} in view, from ${Units.span(from)}`}${range ? ` · range of ${Units.span(range.to - range.from)} from ${Units.span(range.from)}` : ""}`;
  if (inView.textContent !== text) inView.textContent = text;
  for (const { button, isPressed, isEnabled } of toggles) {
    if (isPressed) button.setAttribute("aria-pressed", String(isPressed()));
    if (isEnabled) button.disabled = !isEnabled();
  }
  Curves.showValues(cursor);
};

/** Brings a call into view, with some space on both sides. */
export const fit = (call: number) => {
  const { start, duration } = data.calls;
  const margin = Math.max(duration[call] * 0.1, 5);
  Axis.setView(start[call] - margin, Lanes.end(call) + margin);
  Lanes.reveal(call);
};
export const all = () => Axis.setView(0, Axis.end());
const isRangeOfView = () => {
  const { from, to, range } = State.now;
  return range !== null && range.from === from && range.to === to;
};
export const rangeOfView = () => State.set({ range: { from: State.now.from, to: State.now.to } });

/** Brings the chosen call into view. */
const reveal = () => {
  const { call, from, to } = State.now;
  if (call < 0) return;
  const { start, duration } = data.calls;
  if (Lanes.end(call) <= from || start[call] >= to) Axis.pan(start[call] + duration[call] / 2 - (from + to) / 2);
  Lanes.reveal(call);
};

/** Chooses a call and announces it, with a tooltip next to it for keyboard users. */
export const choose = (call: number) => {
  State.set({ call });
  const { duration, delta } = data.calls;
  announce(`${Lanes.name(call)}, ${Units.span(duration[call])}, ${Units.change(delta[call])}`);
  point(null);
  pointed = () => {
    const box = Lanes.rectangle(call);
    if (box && State.now.call === call)
      Tooltip.show(box.x + Math.min(box.width, 40), box.y + box.height, ...Lanes.about(call));
    else Tooltip.hide();
  };
  redraw();
};

const overLanes = (x: number, y: number, event: PointerEvent) => {
  pointed = () => overLanes(x, y, event);
  point(x);
  const call = Lanes.hit(x, y);
  Lanes.frame(call);
  if (call >= 0) Tooltip.show(event.clientX, event.clientY, ...Lanes.about(call));
  else Tooltip.hide();
};
const overChart = (chart: DrawnChart) => (x: number, y: number, event: PointerEvent) => {
  pointed = () => overChart(chart)(x, y, event);
  point(x);
  if (cursor === null) Tooltip.hide();
  else Tooltip.show(event.clientX, event.clientY, Units.moment(Math.round(cursor)), Curves.figures(chart, cursor));
};
export const leave = () => {
  if (!stack) return;
  pointed = null;
  point(null);
  if (data.calls.count > 0) Lanes.frame(-1);
  Tooltip.hide();
};

const toolbar = () => {
  const button = (text: string, label: string, run: () => void, more: ButtonState = {}) => {
    const then = () => {
      run();
      redraw();
    };
    const element = Dom.button(text, then, { title: label, "aria-label": /\w/.test(text) ? null : label });
    toggles.push({ button: element, ...more });
    return element;
  };
  const full = () => State.now.from <= 0 && State.now.to >= Axis.end();
  inView = make("output", { class: "faint", id: "in-view" });
  return make("div", { class: "time-bar", role: "toolbar", "aria-label": "Time in view" }, [
    button("−", "Zoom out (S)", () => Axis.zoom(1.6), { isEnabled: () => !full() }),
    button("+", "Zoom in (W)", () => Axis.zoom(1 / 1.6)),
    button("←", "Earlier (A)", () => Axis.pan((State.now.from - State.now.to) / 4), {
      isEnabled: () => State.now.from > 0,
    }),
    button("→", "Later (D)", () => Axis.pan((State.now.to - State.now.from) / 4), {
      isEnabled: () => State.now.to < Axis.end(),
    }),
    button("Fit", "Show the whole session (F)", all, { isEnabled: () => !full() }),
    make("span", { class: "time-tables" }, [
      make("span", { class: "faint" }, "Tables"),
      button("Only the time in view", "Limit the tables to the time in view (R)", rangeOfView, {
        isPressed: isRangeOfView,
      }),
      button("Whole session", "Show the whole session in the tables (Esc)", () => State.set({ range: null }), {
        isPressed: () => State.now.range === null,
      }),
    ]),
    inView,
    make("span", { class: "time-ways" }, [
      button(
        "Axis from 0",
        "Start the axes of bytes at 0. Otherwise they fit the values in view.",
        () => {
          Curves.options.zero = !Curves.options.zero;
        },
        { isPressed: () => Curves.options.zero },
      ),
      data.charts.some((chart) => chart.curves.some((curve) => curve.style === "limit"))
        ? button(
            "Capacity",
            "Show capacities and limits, even if they are far above the curves",
            () => {
              Curves.options.limits = !Curves.options.limits;
            },
            { isPressed: () => Curves.options.limits },
          )
        : null,
    ]),
  ]);
};

export const build = (given: PageData, element: HTMLElement) => {
  data = given;
  const ruler = Ruler.build(data);
  Palette.learn(data.paths);
  Axis.begin(data);
  const moves =
    data.calls.count > 0 ||
    data.snapshots.length > 1 ||
    data.charts.some((chart) => chart.curves.some((curve) => curve.times.length > 1));
  if (!(data.end > 0) || !moves) {
    put(
      element,
      make(
        "p",
        { class: "faint none" },
        "This file has no data over time. For a session, this part of the page shows curves and operations.",
      ),
    );
    return;
  }
  const click = (chart: DrawnChart) => (x: number, y: number, event: PointerEvent) => {
    if (event.pointerType === "touch") overChart(chart)(x, y, event);
  };
  const charts = make("div", { class: "charts" });
  line = make("div", { class: "cursor", hidden: true });
  selected = make("div", { class: "selected", hidden: true });
  Gestures.attach(ruler, {
    move: (x: number, y: number, event: PointerEvent) => {
      pointed = null;
      point(x);
      Ruler.showTooltip(x, y, event.clientX, event.clientY);
    },
    leave,
    click: (x: number, y: number, event: PointerEvent) => {
      if (Ruler.click(x, y, event)) Ruler.showTooltip(x, y, event.clientX, event.clientY);
    },
  });
  Curves.build(
    data,
    charts,
    (canvas, chart: DrawnChart) => Gestures.attach(canvas, { move: overChart(chart), leave, click: click(chart) }),
    redraw,
  );
  const lanes = Lanes.build(
    data,
    (canvas) =>
      Gestures.attach(canvas, {
        move: overLanes,
        leave,
        scroll: Lanes.scroll,
        click: (x: number, y: number, event: PointerEvent) => {
          State.set({ call: Lanes.hit(x, y) });
          if (event.pointerType === "touch") overLanes(x, y, event);
        },
        double: (x: number, y: number) => {
          const call = Lanes.hit(x, y);
          if (call >= 0) fit(call);
        },
      }),
    redraw,
  );
  stack = make("div", { class: "time-stack" }, [
    Overview.build(data),
    ruler,
    Ruler.legend(),
    charts,
    make("h3", { class: "lanes-title" }, ["Operations ", Lanes.more()]),
    lanes,
    make("div", { class: "over" }, [selected, line]),
  ]);
  put(element, toolbar(), stack);
  Palette.onchange(() => {
    Overview.draw(true);
    redraw();
  });
  Curves.paint();
  State.on(["call"], reveal);
  State.on(["from", "to", "units", "shown", "before", "find", "call"], draw);
  State.on(["units"], () => Overview.draw(true));
  State.on(["range"], () => {
    shade();
    Overview.draw();
    showInView();
  });
  new ResizeObserver(() => {
    if (stack?.clientWidth !== Axis.place.width) redraw();
  }).observe(stack);
  // The height of the lanes depends on the window, and the window may have moved to a screen with
  // another resolution.
  window.addEventListener("resize", redraw);
  // Request a drawing before the next frame. By then the panes have chosen the shown snapshots.
  redraw();
};

export const debug = {
  /** Returns what is at a point of the window: the index of a call, a time, or a part of the
   * ruler or of a chart. */
  hit: (kind: string, clientX: number, clientY: number) => {
    const element = document.elementFromPoint(clientX, clientY)?.closest("canvas");
    if (!element) return null;
    const box = element.getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    if (kind === "lanes") return Lanes.hit(x, y);
    if (kind === "ruler") return Ruler.hit(x, y);
    if (kind === "overview") return Overview.time(x);
    const chart = Curves.of(element);
    return chart
      ? {
          chart: chart.data.title,
          at: Axis.time(x),
          values: chart.curves.map((one) => [one.curve.name, Points.valueAt(one.curve, Axis.time(x))]),
        }
      : null;
  },
  callRect: (call: number) => (data?.calls.count > call ? Lanes.rectangle(call) : null),
  curvePoint: (title: string, name: string, ns: number) => {
    const named = Curves.named(title, name);
    if (!named?.chart.range) return null;
    const box = named.chart.canvas.getBoundingClientRect();
    return { x: box.left + Axis.x(ns), y: box.top + named.chart.y(named.at(ns)), value: named.at(ns) };
  },
  colour: (index: number) => Palette.operation(index),
};

/** Returns `true` if the page has data over time. */
export const is = () => stack !== undefined;
