/** The scales: the part of the time axis in view, its position in pixels, and round numbers for
 * ticks. */

import type { Numbers, PageData } from "./page_data";
import * as State from "./state";
import * as Units from "./units";

/** The position of curves and lanes in each canvas. The space to their right is for a scroll
 * bar. */
export const place = { left: 80, right: 16, width: 600 };
let last = 1;
/** `true` if threads have names, which need more space. */
let hasNames = false;

export const plot = () => Math.max(40, place.width - place.left - place.right);
export const perPixel = () => (State.now.to - State.now.from) / plot();
export const x = (ns: number) => place.left + (ns - State.now.from) / perPixel();
export const time = (at: number) => State.now.from + (at - place.left) * perPixel();

/** Returns the first index in `first..last` whose value is above `value`, or `last` if there
 * is none. */
export const above = (rising: Numbers, value: number, first: number, last: number) => {
  while (first < last) {
    const middle = (first + last) >>> 1;
    if (rising[middle] > value) last = middle;
    else first = middle + 1;
  }
  return first;
};

/** Returns the same as `above`, but faster if the index is near `first`. The steps double, so
 * a loop over all columns does not search the whole array for each column. */
export const next = (rising: Numbers, value: number, first: number, last: number) => {
  let reach = 1;
  while (first + reach < last && rising[first + reach - 1] <= value) {
    first += reach;
    reach *= 2;
  }
  return above(rising, value, first, Math.min(last, first + reach));
};

/** Brings a part of the axis into view, limited to the axis. */
export const setView = (from: number, to: number) => {
  const least = Math.min(20, last);
  const span = Math.min(last, Math.max(least, to - from));
  // A part that is too narrow is widened around its middle.
  const start = Math.round(Math.min(last - span, Math.max(0, (from + to) / 2 - span / 2)));
  State.set({ from: start, to: Math.min(last, Math.round(start + span)) });
};
export const zoom = (factor: number, at = (State.now.from + State.now.to) / 2) => {
  const { from, to } = State.now;
  const span = Math.min(last, (to - from) * factor);
  const share = (at - from) / (to - from);
  const start = Math.min(last - span, Math.max(0, at - span * share));
  setView(start, start + span);
};
export const pan = (ns: number) => {
  const { from, to } = State.now;
  const start = Math.min(last - (to - from), Math.max(0, from + ns));
  setView(start, start + to - from);
};
/** Sets the range that tables cover. If the range is empty, clears it. */
export const select = (one: number, other: number) => {
  const edge = (at: number) => Math.round(Math.min(last, Math.max(0, at)));
  const [from, to] = [edge(Math.min(one, other)), edge(Math.max(one, other))];
  State.set({ range: to > from ? { from, to } : null });
};

const SECOND = 1e9;
const STEPS: number[] = [];
for (let power = 1; power < 10 * SECOND; power *= 10) STEPS.push(power, 2 * power, 5 * power);
STEPS.push(...[10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200].map((one) => one * SECOND));
for (let days = 1; days < 1e5; days *= 10) STEPS.push(...[1, 2, 5].map((one) => one * days * 86400 * SECOND));

const SPANS: [string, number][] = [
  ["s", SECOND],
  ["ms", 1e6],
  ["µs", 1e3],
  ["ns", 1],
];
/** Units of long times, in seconds. */
const LONG_SPANS: [string, number][] = [
  ["d", 86400],
  ["h", 3600],
  ["min", 60],
];
/** Formats a time on the axis, with the digits that the step needs. */
const moment = (at: number, step: number, to: number) => {
  if (at === 0) return "0";
  const fixed = (value: number, unit: number) => value.toFixed(Math.max(0, Math.ceil(Math.log10(unit / step) - 1e-9)));
  if (to < 60 * SECOND) {
    const [name, unit] = SPANS.find(([, one]) => to >= one) ?? ["ns", 1];
    return `${fixed(at / unit, unit)}\u00a0${name}`;
  }
  const parts = [];
  let left = at;
  for (const [name, unit] of LONG_SPANS) {
    const count = Math.floor(left / (unit * SECOND));
    left -= count * unit * SECOND;
    if (count > 0) parts.push(`${count}\u00a0${name}`);
  }
  if (left > 0) parts.push(`${fixed(left / SECOND, SECOND)}\u00a0s`);
  return parts.join("\u00a0");
};

/** Returns the round times in view that fit, with their texts. `measure` returns the width of a
 * text. */
export const moments = (measure: (text: string) => number) => {
  const { from, to } = State.now;
  const step =
    STEPS.find(
      (one) => one / perPixel() >= 56 && one / perPixel() >= measure(moment(Math.floor(to / one) * one, one, to)) + 20,
    ) ?? STEPS[STEPS.length - 1];
  const all: { at: number; text: string }[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) all.push({ at, text: moment(at, step, to) });
  return all;
};

const round = (least: number) => {
  const power = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 5].find((one) => one * power >= least * (1 - 1e-9)) ?? 10) * power;
};

const byteText = (value: number, step: number, most: number) => {
  if (value === 0) return `0\u00a0B`;
  const base = State.now.units === "iec" ? 1024 : State.now.units === "si" ? 1000 : Infinity;
  let unit = 1;
  while (unit * base <= most) unit *= base;
  // With more than three decimal places, the next smaller unit is easier to read.
  if (unit > 1 && step < unit / 8) unit /= base;
  const name = Units.bytes(unit).split("\u00a0").pop();
  const whole = Math.abs(value) / unit;
  const [digits, rest] = String(Number(whole.toFixed(3))).split(".");
  return `${value < 0 ? "−" : ""}${Units.grouped(Number(digits))}${rest ? `.${rest}` : ""}\u00a0${name}`;
};

/** Returns three to five round amounts between two amounts, with their texts. */
export const amounts = (low: number, high: number, unit: string) => {
  const least = (high - low) / 5;
  const binary = unit === "bytes" && State.now.units === "iec";
  const step = unit === "bytes" && least < 1 ? 1 : binary ? 2 ** Math.ceil(Math.log2(least)) : round(least);
  const most = Math.max(Math.abs(low), Math.abs(high));
  const all: { value: number; text: string }[] = [];
  for (let count = Math.ceil(low / step); count * step <= high && all.length < 9; count++) {
    const value = count * step;
    all.push({
      value,
      text: unit === "bytes" ? byteText(value, step, most) : Units.figure(Number(value.toPrecision(12)), unit),
    });
  }
  return all;
};

/** Sets the available width. */
export const resize = (width: number) => {
  place.width = width;
  place.left = (width < 600 ? 76 : hasNames ? 132 : 80) + (State.now.units === "bytes" ? 30 : 0);
};

/** The number of letters that fit beside narrow lanes. */
const SHORT = 8;

export const begin = (data: PageData) => {
  last = Math.max(1, data.end);
  hasNames = data.threads.some(({ name }) => name !== null && name.length > SHORT);
};

export const end = () => last;
