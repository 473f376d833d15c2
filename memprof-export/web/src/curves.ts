/** The curves over time: one canvas for each chart, and a legend with the values at the cursor. */

import * as Axis from "./axis";
import type { Pixels } from "./canvas";
import * as Canvas from "./canvas";
import { button, make, put } from "./dom";
import * as Palette from "./palette";
import type { Drawn, Scale } from "./points";
import * as Points from "./points";
import { forEachStep, reasonAt, span, spanOf, valueAt, visible, widen } from "./points";
import type { Chart, Curve, PageData } from "./page_data";
import * as Ruler from "./ruler";
import * as State from "./state";
import * as Tooltip from "./tooltip";
import * as Units from "./units";
import * as Unknown from "./unknown";

/** A curve in a chart, with its button in the legend. */
export interface DrawnCurve extends Drawn {
  /** The variable of its colour. */
  variable: string;
  hidden: boolean;
  /** `false` for a limit that is not drawn, because it is far above the curves. */
  near: boolean;
  value: HTMLElement;
  far: HTMLElement;
  sign: HTMLElement;
  button: HTMLElement;
}

export interface DrawnChart {
  data: Chart;
  height: number;
  /** The drawn amounts; `null` if there are none. */
  range: { low: number; high: number } | null;
  y: Scale;
  open: boolean;
  curves: DrawnCurve[];
  canvas: HTMLCanvasElement;
}

let data: PageData;
let charts: DrawnChart[] = [];
export const options = { zero: true, limits: false };
const SERIES = 8;

const BREAKS: Partial<Record<Contents.Style, [number, number]>> = { dashed: [5, 3], least: [5, 3], limit: [2, 3] };
/** Draws a stepped line: horizontal at each value, vertical between values. `y` is in the
 * page's pixels. */
const drawLine = (image: Pixels, one: DrawnCurve, from: number, to: number, x: Scale, y: Scale) => {
  const scale = Canvas.ratio();
  const { style } = one.curve;
  const colour = Palette.pixel(one.variable);
  const thick = Math.max(1, Math.round((style === "limit" ? 1 : 1.5) * scale));
  const [on, off] = (BREAKS[style] ?? [1, 0]).map((length) => Math.round(length * scale));
  // Dashes are fixed to the time axis, so that they move with it.
  const phase = Math.round(x(0) * scale) % (on + off);
  let [end, above, below] = [-9, 0, 0];
  forEachStep(one, from, to, x, (left, right, low, high) => {
    const top = Math.round(y(high) * scale - thick / 2);
    const bottom = Math.max(top + thick, Math.round(y(low) * scale + thick / 2));
    const dash = off === 0 ? 0 : (((left - phase) % (on + off)) + on + off) % (on + off);
    // A pixel column is either drawn completely or not at all.
    if (dash >= on && right - left <= 1) {
      [end, above, below] = [right, top, bottom];
      return;
    }
    if (end === left) {
      // Draws the vertical line from the end of the previous step.
      if (top > below) image.rect(left - thick / 2, below - thick, left + thick / 2, bottom, colour);
      else if (bottom < above) image.rect(left - thick / 2, top, left + thick / 2, above + thick, colour);
    }
    if (off === 0 || low !== high) image.rect(left, top, Math.max(left + 1, right), bottom, colour);
    else
      for (let at = left - dash; at < right; at += on + off)
        image.rect(Math.max(left, at), top, Math.min(right, at + on), bottom, colour);
    [end, above, below] = [right, top, bottom];
  });
};

const drawArea = (image: Pixels, one: DrawnCurve, from: number, to: number, x: Scale, y: Scale) => {
  const scale = Canvas.ratio();
  const colour = Palette.pixel(one.variable, 51);
  const floor = y(0) * scale;
  forEachStep(one, from, to, x, (left, right, low, high) => {
    const top = y(low < 0 && high <= 0 ? low : high) * scale;
    image.rect(left, Math.min(top, floor), right, Math.max(top, floor), colour);
  });
};

/** Returns the range of the axis of amounts: the visible values, and 0 if the user wants it.
 * It contains a capacity only if the capacity is near the curves or the user wants it: a capacity
 * of 80 GiB would flatten a curve of 2 GiB. */
const fit = (chart: DrawnChart): DrawnChart["range"] => {
  const { from, to } = State.now;
  [span.low, span.high] = [Infinity, -Infinity];
  const shown = chart.curves.filter((one) => !one.hidden);
  const limits = shown.filter((one) => one.curve.style === "limit");
  for (const one of shown) if (one.curve.style !== "limit") widen(one.levels, ...visible(one.curve, from, to));
  let { low, high } = span;
  const alone = !(low <= high);
  for (const one of limits) {
    const limit = spanOf(one.levels, ...visible(one.curve, from, to));
    one.near = limit.low <= limit.high && (options.limits || alone || limit.low <= high * 1.7);
    if (one.near) [low, high] = [Math.min(low, limit.low), Math.max(high, limit.high)];
  }
  if (!(low <= high)) return null;
  if (options.zero && chart.data.unit === "bytes") [low, high] = [Math.min(0, low), Math.max(0, high)];
  const margin = high > low ? (high - low) * 0.06 : Math.max(1, Math.abs(high) * 0.1);
  if (high !== 0 || low === 0) high += margin;
  if (low !== 0 || high === 0) low -= margin;
  return { low, high };
};

const drawChart = (chart: DrawnChart) => {
  const { canvas, height } = chart;
  const context = Canvas.cleared(canvas, Axis.place.width, height);
  const { left } = Axis.place;
  const { from, to } = State.now;
  const [width, top, bottom] = [Axis.plot(), 4, height - 6];
  const range = fit(chart);
  chart.range = range;
  context.fillStyle = Palette.css("--faint");
  if (!range) {
    context.textAlign = "center";
    context.fillText(
      chart.curves.every((one) => one.hidden) ? "All curves are hidden" : "No known values in view",
      left + width / 2,
      height / 2,
    );
    return;
  }
  chart.y = (value: number) => bottom - ((value - range.low) / (range.high - range.low)) * (bottom - top);
  const inside = (value: number) => Math.min(bottom, Math.max(top, chart.y(value)));
  const shown = chart.curves.filter((one) => !one.hidden && (one.curve.style !== "limit" || one.near));
  const image = Canvas.pixels(context);
  const scale = Canvas.ratio();
  for (const one of shown) if (one.curve.style === "fill") drawArea(image, one, from, to, Axis.x, inside);
  const ticks = Axis.amounts(range.low, range.high, chart.data.unit);
  for (const { value } of ticks)
    image.rect(
      left * scale,
      Math.round(chart.y(value) * scale),
      (left + width) * scale,
      Math.round(chart.y(value) * scale) + 1,
      Palette.pixel("--edge"),
    );
  // The first curve is the most important, so it is drawn last, on top of the others.
  for (const one of shown.reverse()) drawLine(image, one, from, to, Axis.x, inside);
  image.put();
  context.textAlign = "right";
  for (const { value, text } of ticks)
    context.fillText(text, left - 8, Math.min(height - 7, Math.max(7, chart.y(value))));
  Ruler.lines(context, top, bottom);
  if (chart === foremost()) drawPeaks(context, chart, range);
};

/** Draws a sign at each peak of the main curve, and its text where the fewest curves are. */
const drawPeaks = (context: CanvasRenderingContext2D, chart: DrawnChart, range: { high: number }) => {
  const { from, to } = State.now;
  const shown = chart.curves.filter((one) => !one.hidden && (one.curve.style !== "limit" || one.near));
  for (const mark of data.marks) {
    if (mark.kind !== "peak" || mark.at < from || mark.at > to) continue;
    const { atPeak } = data;
    const main = shown.find((one) => one.curve.style !== "limit");
    const value = atPeak?.at === mark.at ? atPeak.live : main ? valueAt(main.curve, mark.at) : NaN;
    const [x, y] = [Axis.x(mark.at), Math.max(4, chart.y(Number.isNaN(value) ? range.high : value))];
    context.fillStyle = Palette.css("--warn");
    context.strokeStyle = Palette.css("--paper");
    context.lineWidth = 3;
    context.lineJoin = "round";
    context.beginPath();
    context.moveTo(x, y + 1);
    context.lineTo(x - 5, y - 8 < 4 ? y + 10 : y - 8);
    context.lineTo(x + 5, y - 8 < 4 ? y + 10 : y - 8);
    context.closePath();
    context.stroke();
    context.fill();
    const highest = atPeak?.at === mark.at ? atPeak.bytes : value;
    const text = Number.isNaN(highest) ? mark.text : `peak ${Units.figure(highest, chart.data.unit)}`;
    const width = Canvas.width(context, text);
    const places = [-4, 14, -18, 28, -32]
      .flatMap((down) => [x + 9, x - 9 - width].map((left) => ({ left, middle: Math.round(y + down) })))
      .filter(({ left, middle }) => left > Axis.place.left && left + width <= Axis.place.width && middle >= 9)
      .filter(({ middle }) => middle <= chart.height - 12);
    const crossings = ({ left, middle }: { left: number; middle: number }) =>
      shown.reduce((sum, one) => {
        const [first, last] = [left, left + width].map((edge) => Axis.time(edge));
        const { low, high } = spanOf(one.levels, ...visible(one.curve, first, last));
        return sum + Number(low <= high && chart.y(high) < middle + 8 && chart.y(low) > middle - 8);
      }, 0);
    const place = places.reduce((best, one) => (crossings(one) < crossings(best) ? one : best), places[0]);
    if (!place) continue;
    context.textAlign = "left";
    context.globalAlpha = 0.85;
    context.fillStyle = Palette.css("--paper");
    context.fillRect(place.left - 3, place.middle - 8, width + 6, 16);
    context.globalAlpha = 1;
    context.fillStyle = Palette.css("--warn");
    context.fillText(text, place.left, place.middle);
  }
};

const foremost = () => charts.find((one) => !one.data.folded && one.curves.length > 0) ?? charts[0];
const main = () => {
  const chart = foremost();
  return chart?.curves.find((one) => one.curve.style === "fill") ?? chart?.curves[0];
};

/** Draws the main curve of the whole session, for the strip above. */
export const outline = (image: Pixels, x: Scale, top: number, bottom: number) => {
  const one = main();
  if (!one) return;
  const range = spanOf(one.levels, 0, one.curve.values.length);
  const [low, high] = [Math.min(0, range.low), Math.max(0, range.high)];
  if (!(low < high)) return;
  const y = (value: number) => bottom - ((value - low) / (high - low)) * (bottom - top);
  drawArea(image, one, 0, Axis.end(), x, y);
  drawLine(image, one, 0, Axis.end(), x, y);
};

/** Shows the values of the curves in each legend: at a given time, or else at the end of the
 * view. */
export const showValues = (ns: number | null) => {
  const at = ns ?? State.now.to;
  for (const chart of charts) {
    for (const one of chart.curves) {
      const value = valueAt(one.curve, at);
      const text = figure(one.curve, value, chart.data.unit);
      if (one.value.textContent !== text) one.value.textContent = text;
      if (one.curve.style === "limit") one.far.hidden = one.near || one.hidden;
      one.value.title = Number.isNaN(value)
        ? unknown(one.curve, at)
        : chart.data.unit === "bytes"
          ? Units.exact(value)
          : "";
    }
  }
};

/** Formats a figure of a curve. A lower end has a sign. */
const figure = ({ style }: Curve, value: number, unit: string, bytes = Units.bytes) =>
  `${style === "least" && !Number.isNaN(value) ? "≥\u00a0" : ""}${unit === "bytes" ? bytes(value) : Units.figure(value, unit)}`;

const unknown = (curve: Curve, ns: number) => {
  const reason = reasonAt(curve, ns);
  return reason ? `unknown: ${reason}` : "unknown";
};

export const figures = (chart: DrawnChart, ns: number): [string, string][] =>
  chart.curves
    .filter((one) => !one.hidden)
    .map((one) => {
      const value = valueAt(one.curve, ns);
      if (Number.isNaN(value)) return [one.curve.name, unknown(one.curve, ns)];
      return [one.curve.name, figure(one.curve, value, chart.data.unit, Tooltip.bytes)];
    });

/** Returns the name of the curve to which a lower end belongs. */
const whole = ({ name }: Curve) => name.replace(/, at least$/, "");

const VARIABLES: Partial<Record<Contents.Style, string>> = { limit: "--limit", dashed: "--resident" };
const built = (data: Chart, redraw: () => void): DrawnChart => {
  let series = 0;
  const used = new Set<string>();
  const colours = new Map<string, string>();
  const curves = data.curves.map((curve) => {
    let variable = curve.style === "fill" && !used.has("--heap") ? "--heap" : VARIABLES[curve.style];
    // A lower end has the colour of the curve that it belongs to.
    if (curve.style === "least") variable = colours.get(whole(curve));
    if (!variable || (used.has(variable) && variable !== "--limit" && curve.style !== "least")) {
      do variable = `--series-${(series++ % SERIES) + 1}`;
      while (series === 1 && used.has("--heap"));
    }
    used.add(variable);
    colours.set(curve.name, variable);
    const toggle = () => {
      one.hidden = !one.hidden;
      one.button.setAttribute("aria-pressed", String(!one.hidden));
      redraw();
    };
    const one: DrawnCurve = {
      curve,
      levels: Points.pyramid(curve),
      variable,
      hidden: false,
      near: true,
      value: make("b", { class: "number" }),
      far: make("span", { class: "faint", hidden: true }, "above the chart"),
      sign: make("i", { class: `sign ${curve.style}` }),
      button: button([], toggle, { "aria-pressed": "true", title: `Show or hide ${curve.name}` }),
    };
    put(one.button, one.sign, make("span", {}, curve.name), one.value, one.far);
    return one;
  });
  const label = `${data.title} over time: ${data.curves.map((one) => one.name).join(", ")}`;
  return { data, height: 0, range: null, y: () => 0, open: !data.folded, curves, canvas: Canvas.make(label) };
};

export const build = (
  all: PageData,
  element: HTMLElement,
  attach: (canvas: HTMLCanvasElement, chart: DrawnChart) => void,
  redraw: () => void,
) => {
  data = all;
  charts = data.charts.map((data) => built(data, redraw));
  put(
    element,
    charts.map((chart, index) => {
      const { data } = chart;
      chart.height = index === 0 ? 168 : 112;
      attach(chart.canvas, chart);
      const legend = make(
        "div",
        { class: "legend", role: "group", "aria-label": `Curves of ${data.title}` },
        chart.curves.map((one) => one.button),
      );
      const sentences = Unknown.sentences(data).join(" ");
      const body = make("div", { class: "chart-body", hidden: !chart.open }, [
        data.curves.length > 0 && [legend, chart.canvas],
        sentences !== "" && make("p", { class: "faint gaps" }, sentences),
      ]);
      const toggle = () => {
        chart.open = !chart.open;
        body.hidden = !chart.open;
        fold.setAttribute("aria-expanded", String(chart.open));
        redraw();
      };
      const fold = button(data.title, toggle, { class: "fold", "aria-expanded": String(chart.open) });
      return make("section", { class: "chart" }, [make("h3", {}, fold), body]);
    }),
  );
};

export const draw = () => {
  for (const chart of charts) if (chart.open && chart.curves.length > 0) drawChart(chart);
};

/** Sets the colours of the legend from the theme. */
export const paint = () => {
  for (const chart of charts)
    for (const one of chart.curves) one.sign.style.setProperty("--sign", `var(${one.variable})`);
};

export const named = (title: string, name: string) => {
  const chart = charts.find((one) => one.data.title === title);
  const one = chart?.curves.find((each) => each.curve.name === name);
  return chart && one ? { chart, one, at: (ns: number) => valueAt(one.curve, ns) } : null;
};

export const of = (canvas: HTMLCanvasElement) => charts.find((one) => one.canvas === canvas) ?? null;
