/** The points of curves: what holds at a moment, the least and most of a span, and pieces to draw. */
const Points = (() => {
  const BLOCK = 16;

  /** The least and most of each block of 16 points, of each 16 of those, and so on: what a pixel
   * column spans costs a few steps, however many points it has. */
  const pyramid = ({ values }) => {
    const levels = [{ low: values, high: values }];
    while (levels[levels.length - 1].low.length > BLOCK) {
      const below = levels[levels.length - 1];
      const count = Math.ceil(below.low.length / BLOCK);
      const level = { low: new Float64Array(count), high: new Float64Array(count) };
      for (let block = 0; block < count; block++) {
        let [low, high] = [Infinity, -Infinity];
        const last = Math.min(below.low.length, (block + 1) * BLOCK);
        // What is unknown compares as false and leaves both as they are.
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

  const span = { low: 0, high: 0 };
  /** Widens `span` by the points `first..last`. */
  const widen = (levels, first, last) => {
    for (let depth = 0; first < last; depth++) {
      const { low, high } = levels[depth];
      const top = depth === levels.length - 1;
      const take = (at) => {
        if (low[at] < span.low) span.low = low[at];
        if (high[at] > span.high) span.high = high[at];
      };
      while (first < last && (top || first % BLOCK !== 0)) take(first++);
      while (first < last && last % BLOCK !== 0) take(--last);
      first /= BLOCK;
      last /= BLOCK;
    }
  };
  const spanOf = (levels, first, last) => {
    [span.low, span.high] = [Infinity, -Infinity];
    widen(levels, first, last);
    return span;
  };

  /** The first and one past the last point that is seen between two moments: one holds from before. */
  const seen = ({ times }, from, to) => {
    const last = Axis.above(times, to, 0, times.length);
    return [Math.max(0, Axis.above(times, from, 0, last) - 1), last];
  };

  const valueAt = ({ times, values }, ns) => {
    const at = Axis.above(times, ns, 0, times.length) - 1;
    return at < 0 ? NaN : values[at];
  };

  /** Why nothing is known at a moment at which nothing is: words, or none where nobody tells. */
  const whyAt = ({ times, gaps }, ns) => {
    const at = Axis.above(times, ns, 0, times.length) - 1;
    let why = "";
    for (const [from, words] of gaps) {
      if (from > at) break;
      why = words;
    }
    return why;
  };

  /** Pieces between two moments, told to `each(left, right, low, high)` in pixels of the screen: a step
   * each, or, where there are more points than pixels, a pixel column each. Unknown is no piece. */
  const pieces = (one, from, to, x, each) => {
    const { times, values } = one.curve;
    const [first, last] = seen(one.curve, from, to);
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

  return { pyramid, span, widen, spanOf, seen, valueAt, whyAt, pieces };
})();
