/** The points of curves: the value at a time, the smallest and largest value of a span, and
 * steps to draw. */

import * as Axis from "./axis";
import * as Canvas from "./canvas";
import type { Curve, Numbers } from "./page_data";

const BLOCK = 16;

/** The smallest and largest values of blocks of points. */
export interface Level {
  low: Float64Array;
  high: Float64Array;
}

/** A curve with its blocks. */
export interface Drawn {
  curve: Curve;
  levels: Level[];
}

/** Returns the position of a time or an amount, in pixels of the page. */
export type Scale = (value: number) => number;

/** Draws a step, in pixels of the screen. */
export type Step = (left: number, right: number, low: number, high: number) => void;

/** Returns levels of blocks, with the smallest and largest value of each block. Each block covers
 * 16 blocks of the level before; the first level is the points themselves. So the range of a
 * pixel column takes a few steps, for any number of points. */
export const pyramid = ({ values }: { values: Float64Array }): Level[] => {
  const levels = [{ low: values, high: values }];
  while (levels[levels.length - 1].low.length > BLOCK) {
    const below = levels[levels.length - 1];
    const count = Math.ceil(below.low.length / BLOCK);
    const level = { low: new Float64Array(count), high: new Float64Array(count) };
    for (let block = 0; block < count; block++) {
      let [low, high] = [Infinity, -Infinity];
      const last = Math.min(below.low.length, (block + 1) * BLOCK);
      // Unknown values compare as false and change neither.
      for (let at = block * BLOCK; at < last; at++) {
        if (below.low[at] < low) low = below.low[at];
        if (below.high[at] > high) high = below.high[at];
      }
      level.low[block] = low;
      level.high[block] = high;
    }
    levels.push(level);
  }
  return levels;
};

export const span = { low: 0, high: 0 };
/** Extends `span` by the points `first..last`. */
export const widen = (levels: Level[], first: number, last: number) => {
  for (let depth = 0; first < last; depth++) {
    const { low, high } = levels[depth];
    const top = depth === levels.length - 1;
    const take = (at: number) => {
      if (low[at] < span.low) span.low = low[at];
      if (high[at] > span.high) span.high = high[at];
    };
    while (first < last && (top || first % BLOCK !== 0)) take(first++);
    while (first < last && last % BLOCK !== 0) take(--last);
    first /= BLOCK;
    last /= BLOCK;
  }
};
export const spanOf = (levels: Level[], first: number, last: number) => {
  [span.low, span.high] = [Infinity, -Infinity];
  widen(levels, first, last);
  return span;
};

/** Returns the index of the first visible point between two times, and the index after the last
 * one. The last point before the first time is visible too, because its value still holds. */
export const visible = ({ times }: { times: Numbers }, from: number, to: number): [number, number] => {
  const last = Axis.above(times, to, 0, times.length);
  return [Math.max(0, Axis.above(times, from, 0, last) - 1), last];
};

export const valueAt = ({ times, values }: Pick<Curve, "times" | "values">, ns: number) => {
  const at = Axis.above(times, ns, 0, times.length) - 1;
  return at < 0 ? NaN : values[at];
};

/** Returns the reason why the value is unknown at a time, in words. The words are empty if the
 * recording has no reason. */
export const reasonAt = ({ times, gaps }: Pick<Curve, "times" | "gaps">, ns: number) => {
  const at = Axis.above(times, ns, 0, times.length) - 1;
  let reason = "";
  for (const [from, text] of gaps) {
    if (from > at) break;
    reason = text;
  }
  return reason;
};

/** Calls `each(left, right, low, high)` for each step between two times, in pixels of the
 * screen. If there are more points than pixels, a step is one pixel column.
 * Unknown values have no step. */
export const forEachStep = (one: Drawn, from: number, to: number, x: Scale, each: Step) => {
  const { times, values } = one.curve;
  const [first, last] = visible(one.curve, from, to);
  const scale = Canvas.ratio();
  if (last - first <= 2 * Axis.plot()) {
    for (let at = first; at < last; at++) {
      const value = values[at];
      if (Number.isNaN(value)) continue;
      const until = at + 1 < times.length ? times[at + 1] : Axis.end();
      each(Math.round(x(Math.max(from, times[at])) * scale), Math.round(x(Math.min(to, until)) * scale), value, value);
    }
    return;
  }
  const begin = Math.round(x(from) * scale);
  const columns = Math.round(x(to) * scale) - begin;
  const step = (to - from) / columns;
  let at = first;
  for (let column = 0; column < columns; column++) {
    const next = Axis.next(times, from + (column + 1) * step, at, last);
    const { low, high } = spanOf(one.levels, at, next);
    if (low <= high) each(begin + column, begin + column + 1, low, high);
    at = Math.max(first, next - 1);
  }
};
