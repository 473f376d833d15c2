/** The curves over time: one canvas for each chart, and a legend that says what they are at the cursor. */
const Curves = (() => {
  const { make, put } = Dom;
  const BLOCK = 32;
  let report;
  let charts = [];
  const asked = { zero: true, limits: false };
  const SERIES = 8;

  /** The least and most of each block of 32 points, of each 32 of those, and so on: what a pixel
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

  /** Pieces `[left, right, low, high]` between two moments: a step each, or, where there are more
   * points than pixels, a pixel column each. Unknown is no piece. */
  const pieces = (one, from, to, x, columns) => {
    const { times, values } = one.curve;
    const [first, last] = seen(one.curve, from, to);
    const all = [];
    if (last - first <= 2 * columns) {
      for (let at = first; at < last; at++) {
        if (Number.isNaN(values[at])) continue;
        const until = at + 1 < times.length ? times[at + 1] : Axis.end();
        all.push([x(Math.max(from, times[at])), x(Math.min(to, until)), values[at], values[at]]);
      }
      return all;
    }
    const step = (to - from) / columns;
    let at = first;
    for (let column = 0; column < columns; column++) {
      const until = from + (column + 1) * step;
      const next = Axis.above(times, until, at, last);
      const { low, high } = spanOf(one.levels, at, next);
      if (low <= high) all.push([x(until - step), x(until), low, high]);
      at = Math.max(first, next - 1);
    }
    return all;
  };

  /** A path through pieces; a gap in time begins it anew. As an area it goes down to `floor`. */
  const trace = (context, all, y, floor) => {
    let before = null;
    let up = false;
    context.beginPath();
    const close = () => { if (floor !== undefined && before) { context.lineTo(before[1], floor); context.closePath(); } };
    for (const piece of all) {
      const [left, right, low, high] = piece;
      if (!before || left - before[1] > 0.01) {
        close();
        context.moveTo(left, floor ?? y(high));
        if (floor !== undefined) context.lineTo(left, y(high));
      } else context.lineTo(left, y(up ? low : high));
      if (floor === undefined && low !== high) { context.lineTo(left, y(up ? high : low)); up = !up; context.lineTo(right, y(up ? low : high)); } else context.lineTo(right, y(high));
      before = piece;
    }
    close();
  };

  const colour = (one) => Palette.css(one.variable);

  const drawCurve = (context, one, all, y, floor) => {
    const { style } = one.curve;
    context.strokeStyle = colour(one);
    context.fillStyle = colour(one);
    if (style === "fill") {
      trace(context, all, y, floor);
      context.globalAlpha = 0.2;
      context.fill();
      context.globalAlpha = 1;
    }
    context.lineWidth = style === "fine" ? 1 : style === "limit" ? 1 : 1.5;
    context.setLineDash(style === "dashed" ? [5, 3] : style === "limit" ? [2, 3] : []);
    trace(context, all, y);
    context.stroke();
    context.setLineDash([]);
  };

  /** What the axis of amounts spans: what is in view, from 0 where asked; a capacity only where it is
   * near or asked for, since 80 GiB would flatten 2 GiB. */
  const fit = (chart) => {
    const { from, to } = State.now;
    [span.low, span.high] = [Infinity, -Infinity];
    const shown = chart.curves.filter((one) => !one.hidden);
    const limits = shown.filter((one) => one.curve.style === "limit");
    for (const one of shown) if (one.curve.style !== "limit") widen(one.levels, ...seen(one.curve, from, to));
    let { low, high } = span;
    const alone = !(low <= high);
    for (const one of limits) {
      const limit = spanOf(one.levels, ...seen(one.curve, from, to));
      one.near = limit.low <= limit.high && (asked.limits || alone || (limit.low <= high * 1.7 && limit.high >= low));
      if (one.near) [low, high] = [Math.min(low, limit.low), Math.max(high, limit.high)];
    }
    if (!(low <= high)) return null;
    if (asked.zero) [low, high] = [Math.min(0, low), Math.max(0, high)];
    const room = high > low ? (high - low) * 0.06 : Math.max(1, Math.abs(high) * 0.1);
    if (high !== 0 || low === 0) high += room;
    if (low !== 0 || high === 0) low -= room;
    return { low, high };
  };

  const drawChart = (chart, index) => {
    const { canvas, height } = chart;
    const context = Axis.wiped(canvas, height);
    const { left } = Axis.place;
    const [wide, top, bottom] = [Axis.plot(), 4, height - 6];
    const range = fit(chart);
    chart.range = range;
    context.strokeStyle = Palette.css("--edge");
    context.lineWidth = 1;
    context.textAlign = "right";
    if (!range) {
      context.strokeRect(left + 0.5, bottom + 0.5, wide, 0);
      context.textAlign = "center";
      context.fillStyle = Palette.css("--faint");
      context.fillText(chart.curves.every((one) => one.hidden) ? "No curve is chosen" : "Not known in this part of the session", left + wide / 2, height / 2);
      return;
    }
    chart.y = (value) => bottom - ((value - range.low) / (range.high - range.low)) * (bottom - top);
    context.fillStyle = Palette.css("--faint");
    context.beginPath();
    for (const { value, text } of Axis.amounts(range.low, range.high, chart.data.unit)) {
      const y = Math.round(chart.y(value)) + 0.5;
      context.moveTo(left, y);
      context.lineTo(left + wide, y);
      context.fillText(text, left - 8, Math.min(height - 7, Math.max(7, y)));
    }
    context.stroke();
    context.save();
    context.beginPath();
    context.rect(left, 0, wide, height);
    context.clip();
    const columns = Math.ceil(wide);
    const floor = Math.min(bottom, Math.max(top, chart.y(0)));
    for (const one of chart.curves) {
      if (one.hidden || (one.curve.style === "limit" && !one.near)) continue;
      drawCurve(context, one, pieces(one, State.now.from, State.now.to, Axis.x, columns), chart.y, floor);
    }
    Ruler.lines(context, top, bottom);
    context.restore();
    if (index === 0) drawPeaks(context, chart);
  };

  /** A sign at each peak on the main curve, with its text where there is room. */
  const drawPeaks = (context, chart) => {
    const { from, to } = State.now;
    for (const mark of report.marks) {
      if (mark.kind !== "peak" || mark.at < from || mark.at > to) continue;
      const values = chart.curves.filter((one) => !one.hidden && one.curve.style !== "limit").map((one) => valueAt(one.curve, mark.at)).filter((value) => !Number.isNaN(value));
      const x = Axis.x(mark.at);
      const y = chart.y(values.length > 0 ? values[0] : chart.range.high);
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
      const wide = context.measureText(mark.text).width;
      const right = x + 9 + wide <= Axis.place.width;
      context.textAlign = right ? "left" : "right";
      const [at, line] = [right ? x + 9 : x - 9, Math.max(9, y - 4)];
      context.strokeText(mark.text, at, line);
      context.fillText(mark.text, at, line);
    }
  };

  const main = () => {
    const chart = charts.find((one) => !one.data.folded) ?? charts[0];
    return chart?.curves.find((one) => one.curve.style === "fill") ?? chart?.curves[0];
  };

  /** The main curve of the whole session, for the strip above. */
  const outline = (context, x, top, bottom) => {
    const one = main();
    if (!one) return;
    const range = spanOf(one.levels, 0, one.curve.values.length);
    const [low, high] = [Math.min(0, range.low), Math.max(0, range.high)];
    if (!(low < high)) return;
    const y = (value) => bottom - ((value - low) / (high - low)) * (bottom - top);
    drawCurve(context, one, pieces(one, 0, Axis.end(), x, Math.ceil(Axis.plot())), y, y(0));
  };

  /** Says in each legend what the curves are at a moment; at the end of the view without one. */
  const say = (ns) => {
    const at = ns ?? State.now.to;
    for (const chart of charts) {
      for (const one of chart.curves) {
        const value = valueAt(one.curve, at);
        const text = Units.figure(value, chart.data.unit) + (one.curve.style === "limit" && one.near === false && !one.hidden ? " (above the chart)" : "");
        if (one.value.textContent !== text) one.value.textContent = text;
        one.value.title = chart.data.unit === "bytes" ? Units.exact(value) : "";
      }
    }
  };

  const figures = (chart, ns) => chart.curves.filter((one) => !one.hidden).map((one) => {
    const value = valueAt(one.curve, ns);
    const short = Units.figure(value, chart.data.unit);
    return [one.curve.name, chart.data.unit === "bytes" && !Number.isNaN(value) ? `${short} · ${Units.exact(value)}` : short];
  });

  const VARIABLES = { limit: "--limit", fine: "--fine", dashed: "--resident" };
  const built = (data, redraw) => {
    const chart = { data, height: 0, range: null, y: () => 0, open: !data.folded };
    let series = 0;
    const used = new Set();
    chart.curves = data.curves.map((curve) => {
      let variable = curve.style === "fill" && !used.has("--heap") ? "--heap" : VARIABLES[curve.style];
      if (!variable || (used.has(variable) && variable !== "--limit")) {
        do variable = `--series-${(series++ % SERIES) + 1}`; while (series === 1 && used.has("--heap"));
      }
      used.add(variable);
      const one = { curve, levels: pyramid(curve), variable, hidden: false, near: true, value: make("b", { class: "number" }) };
      one.sign = make("i", { class: `sign ${curve.style}` });
      one.button = make("button", { type: "button", "aria-pressed": "true", title: `Show or hide ${curve.name}`, onclick: () => {
        one.hidden = !one.hidden;
        one.button.setAttribute("aria-pressed", String(!one.hidden));
        redraw();
      } }, [one.sign, make("span", {}, curve.name), one.value]);
      return one;
    });
    return chart;
  };

  const build = (all, element, attach, redraw) => {
    report = all;
    charts = report.charts.filter((chart) => chart.curves.length > 0).map((data) => built(data, redraw));
    put(element, charts.map((chart, index) => {
      const { data } = chart;
      chart.height = index === 0 ? 168 : 112;
      chart.canvas = Axis.canvas(`${data.title}: a chart over time of ${data.curves.map((one) => one.name).join(", ")}`, chart.height);
      attach(chart.canvas, chart);
      const legend = make("div", { class: "legend", role: "group", "aria-label": `Curves of ${data.title}` }, chart.curves.map((one) => one.button));
      const body = make("div", { class: "chart-body", hidden: !chart.open }, [legend, chart.canvas]);
      const fold = make("button", { type: "button", class: "fold", "aria-expanded": String(chart.open), onclick: () => {
        chart.open = !chart.open;
        body.hidden = !chart.open;
        fold.setAttribute("aria-expanded", String(chart.open));
        redraw();
      } }, data.title);
      return make("section", { class: "chart" }, [make("h3", {}, fold), body]);
    }));
  };

  return {
    build, say, outline, figures, asked,
    count: () => charts.length,
    draw: () => {
      charts.forEach((chart, index) => { if (chart.open) drawChart(chart, index); });
    },
    /** Signs of the legend take their colours from the theme. */
    paint: () => {
      for (const chart of charts) for (const one of chart.curves) one.sign.style.setProperty("--sign", `var(${one.variable})`);
    },
    named: (title, name) => {
      const chart = charts.find((one) => one.data.title === title);
      const one = chart?.curves.find((each) => each.curve.name === name);
      return one ? { chart, one, at: (ns) => valueAt(one.curve, ns) } : null;
    },
    of: (canvas) => charts.find((one) => one.canvas === canvas) ?? null,
  };
})();
