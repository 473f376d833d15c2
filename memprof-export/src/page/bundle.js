// `cargo xtask page` generates this file from the folder memprof-export/web. Edit that.
"use strict";
(() => {
  var __defProp = Object.defineProperty;
  var __export = (target, all2) => {
    for (var name4 in all2)
      __defProp(target, name4, { get: all2[name4], enumerable: true });
  };

  // src/dom.ts
  var flat = (child) => {
    if (child === null || child === void 0 || child === false) return [];
    return typeof child === "string" || child instanceof Node ? [child] : child.flatMap(flat);
  };
  var make = (tag, attributes = {}, children2) => {
    const element = document.createElement(tag);
    for (const [name4, value] of Object.entries(attributes)) {
      if (value === null || value === void 0 || value === false) continue;
      if (typeof value === "function") element.addEventListener(name4.slice(2), value);
      else if (typeof value === "object")
        for (const [key, one] of Object.entries(value)) element.style.setProperty(key, String(one));
      else element.setAttribute(name4, value === true ? "" : String(value));
    }
    element.append(...flat(children2));
    return element;
  };
  var button = (text, onclick, more2 = {}) => make("button", { type: "button", onclick, ...more2 }, text);
  var prose = (text) => {
    const parts2 = text.split("`");
    if (parts2.length % 2 === 0) return text;
    return parts2.map((part2, index) => index % 2 ? make("code", {}, part2) : part2);
  };
  var id = (name4) => {
    const found3 = document.getElementById(name4);
    if (!found3) throw new Error(`the page has no element #${name4}`);
    return found3;
  };
  var put = (element, ...children2) => element.replaceChildren(...flat(children2));
  var announce = (text) => {
    id("announced").textContent = text;
  };
  var drawing = (element) => {
    const context = element.getContext("2d");
    if (!context) throw new Error("this browser does not support canvas");
    return context;
  };

  // src/state.ts
  var now = {
    from: 0,
    to: 1,
    range: null,
    shown: -1,
    before: -1,
    pane: "operations",
    find: "",
    units: "iec",
    theme: "auto",
    call: -1
  };
  var listeners = [];
  var pending = /* @__PURE__ */ new Set();
  var notify = () => {
    const changed = pending;
    pending = /* @__PURE__ */ new Set();
    for (const [keys, run2] of listeners) if (keys.some((key) => changed.has(key))) run2();
    remember();
  };
  var isSame = (key, value) => {
    const [was, is2] = [now[key], value];
    if (was && is2 && typeof was === "object" && typeof is2 === "object") return was.from === is2.from && was.to === is2.to;
    return was === is2;
  };
  var set = (changes2) => {
    for (const key of Object.keys(changes2)) {
      const value = changes2[key];
      if (value === void 0 || isSame(key, value)) continue;
      Object.assign(now, { [key]: value });
      if (pending.size === 0) requestAnimationFrame(notify);
      pending.add(key);
    }
  };
  var on = (keys, run2) => {
    listeners.push([keys, run2]);
  };
  var STORED_KEYS = ["from", "to", "shown", "before", "pane", "units", "theme", "call"];
  var timer = 0;
  var remember = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      const parameters = new URLSearchParams();
      for (const key of STORED_KEYS) parameters.set(key, String(now[key]));
      if (now.range) parameters.set("range", `${now.range.from}-${now.range.to}`);
      if (now.find) parameters.set("find", now.find);
      try {
        history.replaceState(null, "", `#${parameters}`);
      } catch {
      }
    }, 300);
  };
  var oneOf = (names3, value) => names3.find((name4) => name4 === value);
  var recall = (data7) => {
    let parameters;
    try {
      parameters = new URLSearchParams(location.hash.slice(1));
    } catch {
      return;
    }
    const number = (key, minimum, maximum) => {
      const value = Number(parameters.get(key));
      return parameters.get(key) !== null && value >= minimum && value <= maximum ? value : null;
    };
    const [from, to] = [number("from", 0, data7.end), number("to", 0, data7.end)];
    if (from !== null && to !== null && from < to) Object.assign(now, { from, to });
    const [begin3 = NaN, end3 = NaN] = (parameters.get("range") ?? "").split("-").map(Number);
    if (begin3 >= 0 && end3 > begin3 && end3 <= data7.end) now.range = { from: begin3, to: end3 };
    for (const key of ["shown", "before"]) {
      const index = number(key, -1, data7.snapshots.length - 1);
      if (index !== null && Number.isInteger(index)) now[key] = index;
    }
    const call = number("call", -1, data7.calls.count - 1);
    if (call !== null && Number.isInteger(call)) now.call = call;
    now.units = oneOf(["iec", "si", "bytes"], parameters.get("units")) ?? now.units;
    now.theme = oneOf(["auto", "light", "dark"], parameters.get("theme")) ?? now.theme;
    now.find = (parameters.get("find") ?? "").slice(0, 200);
  };

  // src/found.ts
  var has = (text) => text.toLowerCase().includes(now.find);
  var short = (name4, limit = 60) => name4.length > limit ? `${name4.slice(0, limit - 20)}…${name4.slice(-19)}` : name4 || "(no name)";
  var shortPlace = (text, limit = 100) => text.split(" → ").map((part2) => {
    const at = part2.endsWith(")") ? part2.lastIndexOf(" (") : -1;
    if (at >= 0) return short(part2.slice(0, at), limit) + part2.slice(at);
    return /:\d+$/.test(part2) ? part2 : short(part2, limit);
  }).join(" → ");
  var marked = (text) => {
    const { find } = now;
    if (find === "")
      return text.split(/(?<=::|\/)/).flatMap((part2, index) => index > 0 ? [make("wbr"), part2] : [part2]);
    const lower = text.toLowerCase();
    if (lower.length !== text.length || !lower.includes(find)) return [text];
    const parts2 = [];
    let from = 0;
    for (let at = lower.indexOf(find); at >= 0; at = lower.indexOf(find, from)) {
      parts2.push(text.slice(from, at), make("mark", {}, text.slice(at, at + find.length)));
      from = at + find.length;
    }
    return [...parts2, text.slice(from)];
  };
  var isActive = () => now.find !== "";
  var path = (frames) => make("span", { class: "name" }, [
    frames.length > 1 && make("span", { class: "faint" }, [
      marked(
        frames.slice(0, -1).map((frame2) => short(frame2)).join(" › ")
      ),
      " › "
    ]),
    marked(short(frames.at(-1) ?? "", frames.length > 1 ? 60 : 160))
  ]);

  // src/page_data.ts
  var Bound = {
    /** The bytes are a lower bound. */
    LEAST: 1,
    /** Another snapshot may have more bytes, so a comparison is doubtful. */
    MISSED: 2,
    /** The bytes are an upper bound. */
    MOST: 4
  };

  // src/units.ts
  var units_exports = {};
  __export(units_exports, {
    bounded: () => bounded,
    bytes: () => bytes,
    change: () => change,
    counted: () => counted,
    estimate: () => estimate,
    exact: () => exact,
    figure: () => figure,
    grouped: () => grouped,
    moment: () => moment,
    percent: () => percent,
    span: () => span,
    use: () => use
  });
  var NAMES = {
    iec: [1024, ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]],
    si: [1e3, ["kB", "MB", "GB", "TB", "PB", "EB"]],
    bytes: [Infinity, []]
  };
  var SPANS = [
    ["µs", 1e3],
    ["ms", 1e6],
    ["s", 1e9]
  ];
  var names = "iec";
  var grouped = (count) => {
    const sign = count < 0 ? "−" : "";
    return sign + String(Math.abs(count)).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  };
  var bytes = (amount2, units = names) => {
    if (amount2 === null || Number.isNaN(amount2)) return "unknown";
    const [base, steps] = NAMES[units];
    const whole2 = Math.round(Math.abs(amount2));
    const sign = amount2 < 0 && whole2 > 0 ? "−" : "";
    if (whole2 < base) return `${sign}${grouped(whole2)} B`;
    let unit = 1;
    let shown2 = "";
    for (const step of steps) {
      unit *= base;
      const tenths = Math.floor((whole2 * 10 + unit / 2) / unit);
      shown2 = `${Math.floor(tenths / 10)}.${tenths % 10} ${step}`;
      if (tenths < base * 10) break;
    }
    return sign + shown2;
  };
  var bounded = (amount2, bounds, format = bytes) => {
    const sign = bounds & Bound.LEAST ? "≥" : bounds & Bound.MOST ? "≤" : "";
    return sign === "≥" && amount2 === 0 ? "unknown" : `${sign && `${sign} `}${format(amount2)}`;
  };
  var change = (amount2) => {
    if (amount2 === null || Number.isNaN(amount2)) return "unknown";
    const sign = amount2 > 0 ? "+" : amount2 < 0 ? "−" : "±";
    return sign + bytes(Math.abs(amount2));
  };
  var exact = (amount2) => amount2 === null || Number.isNaN(amount2) ? "unknown" : `${grouped(Math.round(amount2))} B`;
  var span = (amount2) => {
    if (amount2 === null || Number.isNaN(amount2)) return "unknown";
    const ns = amount2;
    if (ns < 1e3) return `${Math.round(ns)} ns`;
    for (const [name4, unit] of SPANS) {
      const tenths = Math.round(ns * 10 / unit);
      if (tenths < (name4 === "s" ? 600 : 1e4)) {
        return `${Math.floor(tenths / 10)}.${tenths % 10} ${name4}`;
      }
    }
    const seconds = Math.max(60, Math.floor(ns / 1e9));
    const of3 = (large, name4, small, rest) => {
      const left = Math.floor(seconds % large / small);
      return `${Math.floor(seconds / large)} ${name4}${left ? ` ${left} ${rest}` : ""}`;
    };
    if (seconds < 3600) return of3(60, "min", 1, "s");
    if (seconds < 86400) return of3(3600, "h", 60, "min");
    return of3(86400, "d", 3600, "h");
  };
  var moment = (ns) => {
    const seconds = Math.floor(ns / 1e9);
    return `${grouped(seconds)}.${String(ns - seconds * 1e9).padStart(9, "0")} s`;
  };
  var percent = (part2, whole2) => whole2 > 0 ? `${(part2 / whole2 * 100).toFixed(1)} %`.replace("-", "−") : "–";
  var counted = (count, noun) => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
  var estimate = (one, format = bytes) => {
    if (one === null) return "unknown";
    const side2 = Math.round(one.side);
    if (side2 <= 0) return format(one.value);
    if (side2 > one.value) return `at most ${format(one.value + side2)}`;
    return `${format(one.value)} ± ${format(side2)}`;
  };
  var figure = (value, unit) => {
    if (value === null || Number.isNaN(value)) return "unknown";
    if (unit === "bytes") return bytes(value);
    if (unit === "ns") return span(value);
    if (unit === "celsius") return `${grouped(value)} °C`;
    if (unit === "milliwatts") return `${(value / 1e3).toFixed(1)} W`;
    return `${grouped(value)} ${unit}`;
  };
  var use = (chosen2) => {
    names = chosen2;
  };

  // src/nodes.ts
  var BRANCH = 0;
  var LEAF = 1;
  var UNEXPLAINED = 2;
  var OTHERS = 3;
  var SITE = 5;
  var NO_TREE = {
    nodes: new Uint32Array(0),
    bytes: new Float64Array(0),
    allocations: new Float64Array(0),
    bounds: new Uint8Array(0),
    boundsBelow: new Uint8Array(0),
    total: 0,
    verdict: "unknown",
    holders: []
  };
  var nodes;
  var places = new Int32Array(0);
  var devices = null;
  var cache = [];
  var MAX_CACHED = 8;
  var use2 = (data7) => {
    nodes = data7.nodes;
    places = new Int32Array(nodes.count);
    devices = null;
  };
  var allDevices = () => {
    if (devices) return devices;
    const names3 = [""];
    const numbers = /* @__PURE__ */ new Map([["", 0]]);
    const of3 = new Uint16Array(nodes.count);
    for (let node = 0; node < nodes.count; node += 1) {
      const name4 = nodes.device(node);
      const number = numbers.get(name4) ?? names3.length;
      if (number === names3.length) {
        numbers.set(name4, number);
        names3.push(name4);
      }
      of3[node] = number;
    }
    devices = { names: names3, of: of3 };
    return devices;
  };
  var parents = (list) => {
    const parent = new Int32Array(list.length);
    for (let at = 0; at < list.length; at += 1) {
      const above3 = nodes.parent[list[at]];
      parent[at] = at > 0 && above3 >= 0 ? Math.min(places[above3], at - 1) : at > 0 ? 0 : -1;
      places[list[at]] = at;
    }
    return parent;
  };
  var owned = (totals, parent) => {
    const own = Float64Array.from(totals);
    for (let at = 1; at < own.length; at += 1) own[parent[at]] -= totals[at];
    return own;
  };
  var summed = (own, parent) => {
    const totals = Float64Array.from(own);
    for (let at = own.length - 1; at > 0; at -= 1) totals[parent[at]] += totals[at];
    return totals;
  };
  var SPLICED = "[shared]";
  var BRACKETED = [SPLICED, "[keys]"];
  var fold = (shape, { details: details2, device, sites }) => {
    const { count, node, parent, own, bytes: bytes5, hidden: hidden2 } = shape;
    const keeps = new Uint8Array(count);
    for (let at = count - 1; at > 0; at -= 1) {
      const label2 = nodes.name[node[at]];
      const plain = !details2 && (nodes.kind[node[at]] === LEAF || label2[0] === "[" && BRACKETED.includes(label2)) || !sites && nodes.kind[node[at]] === SITE;
      const isHidden = keeps[at] ? plain && label2 === SPLICED : plain || device !== null && !(bytes5[at] > 0);
      hidden2[at] = Number(isHidden);
      if (!hidden2[at] || keeps[at]) keeps[parent[at]] = 1;
      if (!hidden2[at]) continue;
      own[parent[at]] += own[at];
      own[at] = 0;
    }
    liftChildren(shape);
  };
  var liftChildren = ({ count, parent, hidden: hidden2 }) => {
    for (let at = 1; at < count; at += 1) if (hidden2[parent[at]]) parent[at] = parent[parent[at]];
  };
  var of = (tree, { details: details2 = false, device = null, sites = false } = {}) => {
    const form = `${details2} ${device} ${sites}`;
    const cached = cache.find((one) => one.tree === tree && one.form === form);
    if (cached) return cached.shape;
    const parent = parents(tree.nodes);
    const count = tree.nodes.length;
    const shape = {
      count,
      parent,
      node: tree.nodes,
      hidden: new Uint8Array(count),
      sorted: /* @__PURE__ */ new Map(),
      bytes: tree.bytes,
      width: tree.bytes,
      total: 0,
      allocations: tree.allocations,
      own: owned(tree.bytes, parent),
      bounds: tree.bounds,
      boundsBelow: tree.boundsBelow,
      holders: tree.holders
    };
    if (device !== null) {
      const { names: names3, of: deviceOf } = allDevices();
      const target = names3.indexOf(device);
      for (let at = 0; at < count; at += 1) {
        if (deviceOf[tree.nodes[at]] !== target) shape.own[at] = 0;
      }
      shape.bytes = summed(shape.own, parent);
      shape.allocations = new Float64Array(count).fill(NaN);
    }
    fold(shape, { details: details2, device, sites });
    shape.total = count > 0 ? shape.bytes[0] : 0;
    shape.width = shape.bytes;
    if (cache.push({ tree, form, shape }) > MAX_CACHED) cache.shift();
    return shape;
  };
  var side = (tree, at, parent) => {
    const count = parent.length;
    const [bytes5, own] = [new Float64Array(count), new Float64Array(count)];
    const [bounds, boundsBelow] = [new Uint8Array(count), new Uint8Array(count)];
    for (let position = 0; position < count; position += 1) {
      const inTree = at[position];
      if (inTree < 0) {
        if (bounds[parent[position]] & Bound.MISSED)
          bounds[position] = boundsBelow[position] = Bound.LEAST | Bound.MISSED;
        continue;
      }
      bytes5[position] = tree.bytes[inTree];
      own[position] = tree.own[inTree];
      bounds[position] = tree.bounds[inTree];
      boundsBelow[position] = tree.boundsBelow[inTree];
    }
    return { at, bytes: bytes5, own, bounds, boundsBelow };
  };
  var merge = (before, after) => {
    const [one, other] = [before.node, after.node];
    const capacity = one.length + other.length;
    const node = new Uint32Array(capacity);
    const [was, is2] = [new Int32Array(capacity).fill(-1), new Int32Array(capacity).fill(-1)];
    let [count, left, right] = [0, 0, 0];
    while (left < one.length || right < other.length) {
      const next2 = Math.min(left < one.length ? one[left] : Infinity, right < other.length ? other[right] : Infinity);
      node[count] = next2;
      if (one[left] === next2 && left < one.length) was[count] = left++;
      if (other[right] === next2 && right < other.length) is2[count] = right++;
      count += 1;
    }
    const list = node.subarray(0, count);
    const parent = parents(list);
    const shape = {
      count,
      parent,
      node: list,
      sorted: /* @__PURE__ */ new Map(),
      before: side(before, was.subarray(0, count), parent),
      after: side(after, is2.subarray(0, count), parent),
      bytes: new Float64Array(0),
      width: new Float64Array(0),
      total: 0,
      hidden: new Uint8Array(count)
    };
    const larger = new Float64Array(count);
    for (let at = 0; at < count; at += 1) {
      const isHidden = (was[at] < 0 || before.hidden[was[at]] === 1) && (is2[at] < 0 || after.hidden[is2[at]] === 1);
      shape.hidden[at] = Number(isHidden);
      larger[at] = Math.max(shape.before.own[at], shape.after.own[at], 0);
    }
    liftChildren(shape);
    shape.width = summed(larger, parent);
    shape.bytes = shape.width;
    shape.total = count > 0 ? shape.width[0] : 0;
    return shape;
  };
  var isDoubtful = (before, after, was, is2) => {
    const mayBeLess = was & Bound.MISSED | is2 & Bound.MOST;
    const mayBeMore = is2 & Bound.MISSED | was & Bound.MOST;
    return Boolean(after > before ? mayBeLess : after < before ? mayBeMore : mayBeLess | mayBeMore);
  };
  var isTotalDoubtful = (before, after) => isDoubtful(before.total, after.total, before.boundsBelow[0], after.boundsBelow[0]);
  var changes = ({ count, before, after }) => {
    const changed = [];
    for (let at = 0; at < count; at += 1) if (before.own[at] !== after.own[at]) changed.push(at);
    const size = (at) => Math.abs(after.own[at] - before.own[at]);
    return changed.sort((one, other) => size(other) - size(one) || one - other);
  };
  var link = (shape) => {
    const { count, parent, hidden: hidden2 } = shape;
    const first2 = new Uint32Array(count + 1);
    for (let at = 1; at < count; at += 1) if (!hidden2[at]) first2[parent[at] + 1] += 1;
    for (let at = 0; at < count; at += 1) first2[at + 1] += first2[at];
    const list = new Uint32Array(first2[count]);
    const next2 = first2.slice(0, count);
    for (let at = 1; at < count; at += 1) if (!hidden2[at]) list[next2[parent[at]]++] = at;
    return { first: first2, list };
  };
  var children = (shape, at) => {
    let below = shape.sorted.get(at);
    if (!below) {
      shape.links ??= link(shape);
      const { first: first2, list } = shape.links;
      const { width: width2 } = shape;
      below = list.slice(first2[at], first2[at + 1]).sort((one, other) => width2[other] - width2[one] || one - other);
      shape.sorted.set(at, below);
    }
    return below;
  };
  var childCount = (shape, at) => {
    shape.links ??= link(shape);
    return shape.links.first[at + 1] - shape.links.first[at];
  };
  var name = (shape, at) => {
    const node = shape.node[at];
    const device = nodes.kind[node] === LEAF ? nodes.device(node) : "";
    return (nodes.name[node] || "(no name)") + (device && ` on ${device}`);
  };
  var above = (shape, at) => {
    const line3 = [];
    for (let up = at; up >= 0; up = shape.parent[up]) line3.push(up);
    return line3.reverse();
  };
  var path2 = (shape, at) => above(shape, at).map((one) => name(shape, one)).join(";");
  var same = (shape, node) => {
    for (let target = node; target >= 0; target = nodes.parent[target]) {
      let [low, high] = [0, shape.count];
      while (low < high) {
        const middle2 = low + high >> 1;
        if (shape.node[middle2] < target) low = middle2 + 1;
        else high = middle2;
      }
      if (low < shape.count && shape.node[low] === target && !shape.hidden[low]) return low;
    }
    return 0;
  };
  var devicesOf = (tree) => {
    const { names: names3, of: deviceOf } = allDevices();
    const seen = /* @__PURE__ */ new Set();
    tree.nodes.forEach((node, at) => {
      if (nodes.kind[node] !== BRANCH && tree.bytes[at] > 0) seen.add(deviceOf[node]);
    });
    return [...seen].sort().map((number) => names3[number]);
  };
  var search = (shape, text) => {
    const [hit3, opens] = [new Uint8Array(shape.count), new Uint8Array(shape.count)];
    let count = 0;
    for (let at = shape.count - 1; at >= 0; at -= 1) {
      const above3 = shape.parent[at];
      if (!shape.hidden[at] && name(shape, at).toLowerCase().includes(text)) {
        hit3[at] = 1;
        count += 1;
      }
      if (above3 >= 0 && (hit3[at] || opens[at])) opens[above3] = 1;
    }
    const within3 = Uint8Array.from(hit3);
    for (let at = 1; at < shape.count; at += 1) if (within3[shape.parent[at]]) within3[at] = 1;
    return { hit: hit3, opens, within: within3, count };
  };
  var amount = (shape, at, format = bytes) => bounded(shape.bytes[at], shape.boundsBelow[at], format);
  var kind = (shape, at) => nodes.kind[shape.node[at]];

  // src/answer.ts
  var MAX_NAMED = 3;
  var growing = (sites) => sites.flatMap(
    ({ place: place3, growth: growth3 }, row) => growth3 && growth3.doubt === null ? [{ place: place3, bytesPerSecond: growth3.bytesPerSecond, row }] : []
  ).sort((one, other) => other.bytesPerSecond - one.bytesPerSecond || one.row - other.row);
  var explained = ({
    waterfall
  }) => {
    const [roots3, rest] = waterfall;
    if (roots3?.what !== "the roots' values" || rest?.sign !== "+" || rest.bytes < 0) return null;
    return { roots: roots3.bytes, heap: roots3.bytes + rest.bytes };
  };
  var go = (pane, changes2 = {}, row) => {
    set({ ...changes2, pane, find: "" });
    requestAnimationFrame(
      () => requestAnimationFrame(() => {
        const target = row && document.getElementById(row) || document.getElementById(`tab-${pane}`);
        target?.scrollIntoView({ block: row ? "center" : "start" });
        const button3 = target?.querySelector("button.unfold") ?? target;
        if (button3?.getAttribute("aria-expanded") === "false") button3.click();
        button3?.focus({ preventScroll: true });
        announce(target?.textContent ?? "");
      })
    );
  };
  var link2 = (text, title, run2) => button(text, run2, { class: "plain link", title });
  var UNKNOWN_LEAKS = "Growing call sites are unknown";
  var sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  var compared = ({ growth: growth3, snapshots }) => {
    if (growth3?.what !== "live heap") return null;
    const trees = snapshots.flatMap(({ hasTree, at }, index) => hasTree && at <= growth3.end ? [index] : []);
    return trees.length > 1 ? [trees[0], trees[trees.length - 1]] : null;
  };
  var grew = (data7) => {
    const { growth: growth3, snapshots, residentGrowth } = data7;
    if (!growth3) return null;
    const amount2 = (bytes5, begin4, end4) => make("b", {}, `${change(bytes5)} in ${span(end4 - begin4)}`);
    const pair = compared(data7);
    const [before, after] = (pair ?? []).map((index) => data7.tree(index));
    if (!pair || !before || !after || isTotalDoubtful(before, after))
      return [amount2(growth3.bytes, growth3.begin, growth3.end), ` of ${growth3.what}. `];
    const [begin3, end3] = pair.map((index) => snapshots[index].at);
    const compare2 = () => go("difference", { before: pair[0], shown: pair[1] });
    const noun = residentGrowth ? " of the live heap. " : ". ";
    return [link2(amount2(after.total - before.total, begin3, end3), "Show what grew", compare2), noun];
  };
  var resident = ({ residentGrowth }) => {
    if (!residentGrowth) return null;
    const [finding, evidence] = residentGrowth;
    return [make("b", {}, `${sentence(finding)}.`), ` ${sentence(evidence)}. `];
  };
  var verdict = ({
    began,
    leakVerdict,
    leaksUnknown,
    summaryAge
  }) => {
    if (began === null) return null;
    const lines2 = leaksUnknown === null ? leakVerdict : [`${UNKNOWN_LEAKS}: ${leaksUnknown}`];
    const old = summaryAge === null ? [] : [`Call sites and leaks are ${summaryAge}: anything later is unknown`];
    return [...lines2, ...old].map((line3) => `${sentence(line3)}.`).join(" ");
  };
  var leaks = (data7) => {
    const { began, leakVerdict } = data7;
    const sites = growing(data7.sites);
    if (sites.length === 0) {
      if (began === null) return null;
      const [text, title] = leakVerdict.length > 0 ? [sentence(leakVerdict[0]), "Show the evidence"] : [UNKNOWN_LEAKS, "Show the reason"];
      return [link2(text, title, () => go("places")), ". "];
    }
    const named2 = sites.slice(0, MAX_NAMED).map((site, index) => [
      index > 0 && "; ",
      link2(
        marked(shortPlace(site.place)),
        "Show the call site and its call stack",
        () => go("places", {}, `site-${site.row}`)
      ),
      ` (${change(site.bytesPerSecond)}/s)`
    ]);
    const rest = sites.length - MAX_NAMED;
    return [
      make("b", {}, leakVerdict[0]),
      ": ",
      named2,
      rest > 0 && ["; ", link2(`${grouped(rest)} more`, "Show all growing call sites", () => go("places"))],
      ". "
    ];
  };
  var roots = (data7) => {
    const last2 = data7.snapshots.length - 1;
    const known = last2 >= 0 ? explained(data7.snapshots[last2]) : null;
    if (!known || known.heap <= 0) return null;
    const least = data7.snapshots[last2].rootsAtLeast ? "at least " : "";
    const text = `Roots explain ${least}${percent(known.roots, known.heap)}`;
    return [link2(text, "Show the tree at the end", () => go("tree", { shown: last2 })), " of the live heap at the end. "];
  };
  var peak = ({ atPeak, sites }) => {
    const held = (site) => site.peak?.value ?? 0;
    const row = sites.reduce((best, site, index) => held(site) > held(sites[best]) ? index : best, 0);
    if (!atPeak || sites.length === 0 || !(held(sites[row]) > 0)) return null;
    const { place: place3, roots: roots3 } = sites[row];
    return [
      `At the peak of ${bytes(atPeak.bytes)}, `,
      link2(
        marked(shortPlace(place3)),
        "Show the call site and its call stack",
        () => go("places", {}, `site-${row}`)
      ),
      ` held ${percent(held(sites[row]), Math.max(atPeak.sampled.value, atPeak.live))}`,
      roots3.length > 0 && ` in ${roots3[0]}`,
      ". "
    ];
  };
  var operation = (data7) => {
    const rows3 = data7.operations.filter(({ retained }) => retained !== null && retained.value > 0);
    const most = rows3.reduce(
      (one, row) => (one?.retained?.value ?? 0) >= (row.retained?.value ?? 0) ? one : row,
      null
    );
    if (!most) return null;
    const name4 = most.path.split(";").join(" › ");
    const show3 = () => go("operations", { range: null });
    return [
      "The operation ",
      link2(short(name4), "Show the operations", show3),
      ` retains the most: ${estimate(most.retained)}. `
    ];
  };
  var pinned = ({ pinned: pinned2 }) => {
    if (!pinned2) return null;
    const show3 = () => go("places", {}, "pinned");
    return [link2(estimate(pinned2.free), "Show the call sites", show3), " is free but pinned by live blocks. "];
  };
  var build = (data7, element) => {
    const draw7 = () => {
      put(element, resident(data7), grew(data7), leaks(data7), peak(data7), roots(data7), pinned(data7), operation(data7));
      element.hidden = element.childNodes.length === 0;
    };
    on(["units"], draw7);
    draw7();
  };

  // src/data.ts
  var UNEXPLAINED2 = 2;
  var decode = (bytes5, { begin: begin3, count, areChanges }) => {
    const numbers = new Float64Array(count);
    let at = begin3;
    let last2 = 0;
    for (let index = 0; index < count; index += 1) {
      let byte = bytes5[at++];
      const negative = byte & 1;
      let amount2 = byte >> 1 & 63;
      if (byte > 127) {
        byte = bytes5[at++];
        amount2 |= (byte & 127) << 6;
        if (byte > 127) {
          byte = bytes5[at++];
          amount2 |= (byte & 127) << 13;
          for (let unit = 1 << 20; byte > 127; unit *= 128) {
            byte = bytes5[at++];
            amount2 += (byte & 127) * unit;
          }
        }
      }
      if (negative) {
        if (amount2 === 0) {
          numbers[index] = NaN;
          continue;
        }
        amount2 = -amount2;
      }
      if (areChanges) {
        last2 += amount2;
        amount2 = last2;
      }
      numbers[index] = amount2;
    }
    return numbers;
  };
  var places2 = (bytes5) => {
    let at = 0;
    const next2 = () => {
      let byte = bytes5[at++];
      let number = (byte & 127) >> 1;
      for (let unit = 64; byte > 127; unit *= 128) {
        byte = bytes5[at++];
        number += (byte & 127) * unit;
      }
      return number;
    };
    const all2 = [];
    while (at < bytes5.length) {
      const [length, form] = [next2(), next2()];
      all2.push({ begin: at, end: at + length, count: Math.floor(form / 2), areChanges: form % 2 === 1 });
      at += length;
    }
    return all2;
  };
  var opened = (bytes5) => {
    const all2 = places2(bytes5);
    const last2 = all2.pop();
    if (!last2) throw new Error("the page has no contents");
    return {
      document: JSON.parse(new TextDecoder().decode(bytes5.subarray(last2.begin, last2.end))),
      column: (index) => decode(bytes5, all2[index])
    };
  };
  var readCharts = (charts2, column) => {
    const moments2 = /* @__PURE__ */ new Map();
    const timesOf = (index) => {
      const times = moments2.get(index) ?? column(index);
      moments2.set(index, times);
      return times;
    };
    return charts2.map((chart) => ({
      ...chart,
      curves: chart.curves.map((curve) => ({ ...curve, times: timesOf(curve.times), values: column(curve.values) }))
    }));
  };
  var readCalls = (carried, column) => {
    const { path: path4, start, duration, delta, before, others, tensors: tensors2 } = carried;
    const calls2 = {
      count: 0,
      path: new Uint32Array(column(path4)),
      start: column(start),
      duration: column(duration),
      delta: column(delta),
      before: column(before),
      after: column(others),
      tensors: column(tensors2)
    };
    calls2.count = calls2.path.length;
    for (let call = 0; call < calls2.count; call += 1) calls2.after[call] += calls2.before[call] + calls2.delta[call];
    return calls2;
  };
  var readLanes = (rows3, named2) => {
    const threads2 = new Map(named2.map((thread) => [thread.number, { ...thread, lanes: [] }]));
    let first2 = 0;
    const lanes2 = rows3.map(({ thread, operation: operation4, count }, index) => {
      threads2.get(thread)?.lanes.push(index);
      first2 += count;
      return { thread, operation: operation4, first: first2 - count, count };
    });
    return { threads: [...threads2.values()], lanes: lanes2 };
  };
  var readNodes = (carried, column) => {
    const { names: names3, devices: devices2 } = carried;
    const parent = new Int32Array(column(carried.parent));
    const kind3 = new Uint8Array(column(carried.kind));
    const name4 = new Uint32Array(column(carried.name));
    const device = new Uint16Array(column(carried.device));
    const count = parent.length;
    for (let node = 0; node < count; node += 1) parent[node] = node - parent[node];
    if (count > 0) [parent[0], kind3[0]] = [-1, 0];
    return {
      count,
      parent,
      kind: kind3,
      name: Array.from(name4, (index) => names3[index]),
      device: (node) => {
        const word = devices2[device[node]];
        return word === "cpu" ? "" : word;
      }
    };
  };
  var readBounds = (carried, { count, parent, kind: kind3 }) => {
    const own = new Uint8Array(count);
    for (const node of carried.unread) own[node] = Bound.LEAST;
    for (const node of carried.missed) own[node] |= Bound.MISSED;
    for (let node = 1; node < count; node += 1) {
      if (own[parent[node]] & Bound.MISSED) own[node] |= Bound.LEAST | Bound.MISSED;
      if (carried.unexplainedAtMost && kind3[node] === UNEXPLAINED2 && parent[node] === 0) own[node] |= Bound.MOST;
    }
    const below = Uint8Array.from(own);
    for (let node = count - 1; node > 0; node -= 1) below[parent[node]] |= below[node] & ~Bound.MOST;
    if (!(own[0] & Bound.LEAST)) below[0] = 0;
    return { own, below };
  };
  var grown = (carried, nodes2, column) => {
    const leaves = column(carried.leaves);
    const amounts3 = column(carried.bytes);
    const counted3 = column(carried.branches);
    const counts = column(carried.allocations);
    const bytes5 = new Float64Array(nodes2.count);
    const allocations = new Float64Array(nodes2.count);
    const isPresent = new Uint8Array(nodes2.count);
    const unknown3 = new Uint8Array(nodes2.count);
    leaves.forEach((node, index2) => {
      isPresent[node] = 1;
      bytes5[node] = amounts3[index2];
    });
    counted3.forEach((node, index2) => {
      isPresent[node] = 1;
      allocations[node] = counts[index2];
    });
    const partly = new Uint8Array(nodes2.count);
    for (const node of carried.uncounted) {
      unknown3[node] = 1;
      partly[node] = 1;
    }
    const bounds = readBounds(carried, nodes2);
    let count = 0;
    for (let node = nodes2.count - 1; node >= 0; node -= 1) {
      if (isPresent[node] === 0) continue;
      count += 1;
      const parent = nodes2.parent[node];
      if (parent < 0) continue;
      isPresent[parent] = 1;
      bytes5[parent] += bytes5[node];
      allocations[parent] += allocations[node];
      partly[parent] |= partly[node];
    }
    const tree = {
      nodes: new Uint32Array(count),
      bytes: new Float64Array(count),
      allocations: new Float64Array(count),
      bounds: new Uint8Array(count),
      boundsBelow: new Uint8Array(count),
      total: bytes5[0] ?? 0,
      verdict: carried.verdict,
      holders: carried.holders
    };
    let index = 0;
    for (let node = 0; node < nodes2.count; node += 1) {
      if (isPresent[node] === 0) continue;
      const parent = nodes2.parent[node];
      if (parent >= 0 && unknown3[parent]) unknown3[node] = 1;
      const isUnknown = unknown3[node] || nodes2.kind[node] !== 0 || allocations[node] === 0 && partly[node];
      tree.nodes[index] = node;
      tree.bytes[index] = bytes5[node];
      tree.allocations[index] = isUnknown ? NaN : allocations[node];
      tree.bounds[index] = bounds.own[node];
      tree.boundsBelow[index] = bounds.below[node];
      index += 1;
    }
    return tree;
  };
  var read = async () => {
    const head2 = JSON.parse(document.getElementById("head")?.textContent ?? "");
    const { document: carried, column } = opened(await Packed.bytes("columns"));
    const nodes2 = readNodes(carried.nodes, column);
    const trees = [];
    const snapshots = carried.snapshots.map((snapshot2) => ({ ...snapshot2, hasTree: snapshot2.tree !== null }));
    return {
      ...head2,
      ...carried.tables,
      ...readLanes(carried.lanes, carried.threads),
      charts: readCharts(carried.charts, column),
      marks: carried.marks,
      snapshots,
      paths: carried.paths,
      calls: readCalls(carried.calls, column),
      nodes: nodes2,
      hasHolders: carried.trees.some(({ holders }) => holders.length > 0),
      tree: (snapshot2) => {
        const index = snapshots[snapshot2]?.tree ?? null;
        if (index === null) return null;
        trees[index] ??= grown(carried.trees[index], nodes2, column);
        return trees[index];
      }
    };
  };

  // src/axis.ts
  var place = { left: 80, right: 16, width: 600 };
  var last = 1;
  var hasNames = false;
  var plot = () => Math.max(40, place.width - place.left - place.right);
  var perPixel = () => (now.to - now.from) / plot();
  var x = (ns) => place.left + (ns - now.from) / perPixel();
  var time = (at) => now.from + (at - place.left) * perPixel();
  var above2 = (rising, value, first2, last2) => {
    while (first2 < last2) {
      const middle2 = first2 + last2 >>> 1;
      if (rising[middle2] > value) last2 = middle2;
      else first2 = middle2 + 1;
    }
    return first2;
  };
  var next = (rising, value, first2, last2) => {
    let reach = 1;
    while (first2 + reach < last2 && rising[first2 + reach - 1] <= value) {
      first2 += reach;
      reach *= 2;
    }
    return above2(rising, value, first2, Math.min(last2, first2 + reach));
  };
  var setView = (from, to) => {
    const least = Math.min(20, last);
    const span3 = Math.min(last, Math.max(least, to - from));
    const start = Math.round(Math.min(last - span3, Math.max(0, (from + to) / 2 - span3 / 2)));
    set({ from: start, to: Math.min(last, Math.round(start + span3)) });
  };
  var zoom = (factor, at = (now.from + now.to) / 2) => {
    const { from, to } = now;
    const span3 = Math.min(last, (to - from) * factor);
    const share2 = (at - from) / (to - from);
    const start = Math.min(last - span3, Math.max(0, at - span3 * share2));
    setView(start, start + span3);
  };
  var pan = (ns) => {
    const { from, to } = now;
    const start = Math.min(last - (to - from), Math.max(0, from + ns));
    setView(start, start + to - from);
  };
  var select = (one, other) => {
    const edge = (at) => Math.round(Math.min(last, Math.max(0, at)));
    const [from, to] = [edge(Math.min(one, other)), edge(Math.max(one, other))];
    set({ range: to > from ? { from, to } : null });
  };
  var SECOND = 1e9;
  var STEPS = [];
  for (let power = 1; power < 10 * SECOND; power *= 10) STEPS.push(power, 2 * power, 5 * power);
  STEPS.push(...[10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200].map((one) => one * SECOND));
  for (let days = 1; days < 1e5; days *= 10) STEPS.push(...[1, 2, 5].map((one) => one * days * 86400 * SECOND));
  var SPANS2 = [
    ["s", SECOND],
    ["ms", 1e6],
    ["µs", 1e3],
    ["ns", 1]
  ];
  var LONG_SPANS = [
    ["d", 86400],
    ["h", 3600],
    ["min", 60]
  ];
  var moment2 = (at, step, to) => {
    if (at === 0) return "0";
    const fixed = (value, unit) => value.toFixed(Math.max(0, Math.ceil(Math.log10(unit / step) - 1e-9)));
    if (to < 60 * SECOND) {
      const [name4, unit] = SPANS2.find(([, one]) => to >= one) ?? ["ns", 1];
      return `${fixed(at / unit, unit)} ${name4}`;
    }
    const parts2 = [];
    let left = at;
    for (const [name4, unit] of LONG_SPANS) {
      const count = Math.floor(left / (unit * SECOND));
      left -= count * unit * SECOND;
      if (count > 0) parts2.push(`${count} ${name4}`);
    }
    if (left > 0) parts2.push(`${fixed(left / SECOND, SECOND)} s`);
    return parts2.join(" ");
  };
  var moments = (measure) => {
    const { from, to } = now;
    const step = STEPS.find(
      (one) => one / perPixel() >= 56 && one / perPixel() >= measure(moment2(Math.floor(to / one) * one, one, to)) + 20
    ) ?? STEPS[STEPS.length - 1];
    const all2 = [];
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) all2.push({ at, text: moment2(at, step, to) });
    return all2;
  };
  var round = (least) => {
    const power = 10 ** Math.floor(Math.log10(least));
    return ([1, 2, 5].find((one) => one * power >= least * (1 - 1e-9)) ?? 10) * power;
  };
  var byteText = (value, step, most) => {
    if (value === 0) return `0 B`;
    const base = now.units === "iec" ? 1024 : now.units === "si" ? 1e3 : Infinity;
    let unit = 1;
    while (unit * base <= most) unit *= base;
    if (unit > 1 && step < unit / 8) unit /= base;
    const name4 = bytes(unit).split(" ").pop();
    const whole2 = Math.abs(value) / unit;
    const [digits, rest] = String(Number(whole2.toFixed(3))).split(".");
    return `${value < 0 ? "−" : ""}${grouped(Number(digits))}${rest ? `.${rest}` : ""} ${name4}`;
  };
  var amounts = (low, high, unit) => {
    const least = (high - low) / 5;
    const binary = unit === "bytes" && now.units === "iec";
    const step = unit === "bytes" && least < 1 ? 1 : binary ? 2 ** Math.ceil(Math.log2(least)) : round(least);
    const most = Math.max(Math.abs(low), Math.abs(high));
    const all2 = [];
    for (let count = Math.ceil(low / step); count * step <= high && all2.length < 9; count++) {
      const value = count * step;
      all2.push({
        value,
        text: unit === "bytes" ? byteText(value, step, most) : figure(Number(value.toPrecision(12)), unit)
      });
    }
    return all2;
  };
  var resize = (width2) => {
    place.width = width2;
    place.left = (width2 < 600 ? 76 : hasNames ? 132 : 80) + (now.units === "bytes" ? 30 : 0);
  };
  var SHORT = 8;
  var begin = (data7) => {
    last = Math.max(1, data7.end);
    hasNames = data7.threads.some(({ name: name4 }) => name4 !== null && name4.length > SHORT);
  };
  var end = () => last;

  // src/palette.ts
  var paths = [];
  var values = /* @__PURE__ */ new Map();
  var bars = [];
  var dims = [];
  var dark = false;
  var probe = null;
  var listeners2 = [];
  var css = (name4) => {
    let value = values.get(name4);
    if (value === void 0) {
      value = getComputedStyle(document.documentElement).getPropertyValue(name4).trim();
      values.set(name4, value);
    }
    return value;
  };
  var bytes2 = (colour3) => {
    probe ??= drawing(document.createElement("canvas"));
    probe.fillStyle = "#000000";
    probe.fillStyle = colour3;
    const number = parseInt(String(probe.fillStyle).slice(1, 7), 16);
    return [number >> 16, number >> 8 & 255, number & 255];
  };
  var written = ([red, green, blue]) => `rgb(${red},${green},${blue})`;
  var forget = () => {
    values = /* @__PURE__ */ new Map();
    bars = [];
    dims = [];
    const [red, green, blue] = bytes2(css("--paper"));
    dark = red * 0.3 + green * 0.6 + blue * 0.1 < 128;
  };
  var perceived = (lightness, chroma, hue2) => {
    const a = chroma * Math.cos(hue2 * Math.PI / 180);
    const b = chroma * Math.sin(hue2 * Math.PI / 180);
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    return [
      4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
      -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
      -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s
    ].map(
      (one) => Math.round(255 * Math.min(1, Math.max(0, one <= 31308e-7 ? 12.92 * one : 1.055 * one ** (1 / 2.4) - 0.055)))
    );
  };
  var hash = (text) => {
    let sum2 = 2166136261;
    for (let at = 0; at < text.length; at++) sum2 = Math.imul(sum2 ^ text.charCodeAt(at), 16777619);
    sum2 = Math.imul(sum2 ^ sum2 >>> 15, 739982445);
    return (sum2 ^ sum2 >>> 13) >>> 0;
  };
  var colour = (index) => {
    let depth = 0;
    let first2 = index;
    for (let above3 = paths[first2].parent; above3 !== null && depth < 64; depth++) {
      first2 = above3;
      above3 = paths[first2].parent;
    }
    const own = hash(paths[index].whole);
    const hue2 = hash(paths[first2].name) % 12 * 30 + (depth === 0 ? 0 : (own % 5 - 2) * 20);
    const step = depth % 4 * 0.6 + (own >>> 8) % 3 * 0.3;
    return dark ? perceived(0.47 + step * 0.033, 0.1, hue2) : perceived(0.67 + step * 0.04, 0.1, hue2);
  };
  var packed = ([red, green, blue], alpha = 255) => (alpha << 24 | blue << 16 | green << 8 | red) >>> 0;
  var bar = (index) => {
    if (bars[index] === void 0) bars[index] = packed(colour(index));
    return bars[index];
  };
  var dim = (index) => {
    if (dims[index] === void 0) {
      const paper = bytes2(css("--paper"));
      dims[index] = packed(colour(index).map((one, at) => Math.round(one * 0.2 + paper[at] * 0.8)));
    }
    return dims[index];
  };
  var anew = () => {
    forget();
    for (const run2 of listeners2) run2();
  };
  var pixel = (name4, alpha) => packed(bytes2(css(name4)), alpha);
  var operation2 = (index) => written(colour(index));
  var label = () => dark ? "#ffffff" : "#10161d";
  var font = (size = 12, weight = "") => `${weight} ${size}px ${css("--sans")}`;
  var learn = (all2) => {
    paths = all2;
    forget();
    on(["theme"], anew);
    for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
      const media = matchMedia(query);
      if (media.addEventListener) media.addEventListener("change", anew);
    }
  };
  var onchange = (run2) => {
    listeners2.push(run2);
  };

  // src/canvas.ts
  var sizes = /* @__PURE__ */ new WeakMap();
  var MAX_WIDTH = 8192;
  var MAX_HEIGHT = 4096;
  var ratio = () => Math.min(3, window.devicePixelRatio || 1);
  var make2 = (label2) => make("canvas", { class: "plot", tabindex: 0, role: "img", "aria-label": label2 });
  var cleared = (element, width2, height2) => {
    const scale = ratio();
    const [pixelWidth, pixelHeight] = [
      Math.min(MAX_WIDTH, Math.round(width2 * scale)),
      Math.min(MAX_HEIGHT, Math.round(height2 * scale))
    ];
    const size = `${pixelWidth} ${pixelHeight} ${width2} ${height2}`;
    if (sizes.get(element) !== size) {
      sizes.set(element, size);
      element.width = pixelWidth;
      element.height = pixelHeight;
      element.style.setProperty("width", `${width2}px`);
      element.style.setProperty("height", `${height2}px`);
    }
    const context = drawing(element);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width2, height2);
    context.font = font();
    context.textBaseline = "middle";
    return context;
  };
  var images = /* @__PURE__ */ new WeakMap();
  var pixels = (context) => {
    const { width: width2, height: height2 } = context.canvas;
    let image = images.get(context.canvas);
    if (!image || image.width !== width2 || image.height !== height2) {
      image = context.createImageData(Math.max(1, width2), Math.max(1, height2));
      images.set(context.canvas, image);
    }
    const pixels32 = new Uint32Array(image.data.buffer);
    pixels32.fill(0);
    return {
      pixels32,
      width: width2,
      height: height2,
      rect: (x0, y0, x1, y1, colour3) => {
        const [left, right] = [Math.max(0, Math.round(x0)), Math.min(width2, Math.round(x1))];
        const [top, bottom] = [Math.max(0, Math.round(y0)), Math.min(height2, Math.round(y1))];
        for (let y = top; y < bottom; y++) {
          if (right - left < 16) for (let at = y * width2 + left; at < y * width2 + right; at++) pixels32[at] = colour3;
          else pixels32.fill(colour3, y * width2 + left, y * width2 + right);
        }
      },
      put: () => context.putImageData(image, 0, 0)
    };
  };
  var widths = /* @__PURE__ */ new Map();
  var cuts = /* @__PURE__ */ new Map();
  var width = (context, text) => {
    let measured = widths.get(text);
    if (measured === void 0) {
      if (widths.size > 2e4) widths.clear();
      measured = context.measureText(text).width;
      widths.set(text, measured);
    }
    return measured;
  };
  var cut = (context, text, available) => {
    if (width(context, text) <= available) return text;
    const steps = Math.max(0, available >> 2);
    const key = `${steps}
${text}`;
    let short2 = cuts.get(key);
    if (short2 === void 0) {
      const letters = Array.from(text.slice(0, 200));
      let [low, high] = [0, letters.length];
      while (low < high) {
        const middle2 = low + high + 1 >>> 1;
        if (context.measureText(`${letters.slice(0, middle2).join("")}…`).width <= steps * 4) low = middle2;
        else high = middle2 - 1;
      }
      short2 = low === 0 ? "" : `${letters.slice(0, low).join("")}…`;
      if (cuts.size > 2e4) cuts.clear();
      cuts.set(key, short2);
    }
    return short2;
  };

  // src/lane_rows.ts
  var ROW = 20;
  var BETWEEN = 8;
  var FEW = 12;
  var labels = (threads2) => {
    const counts = /* @__PURE__ */ new Map();
    for (const { name: name4 } of threads2) if (name4 !== null) counts.set(name4, (counts.get(name4) ?? 0) + 1);
    return threads2.map(({ number, name: name4 }) => {
      if (name4 === null) return { name: `thread ${number}`, number: "" };
      return { name: name4, number: (counts.get(name4) ?? 0) > 1 ? ` ${number}` : "" };
    });
  };
  var ranks = (own, lanes2) => {
    const seen = /* @__PURE__ */ new Set();
    return own.map((index, at) => {
      const { operation: operation4 } = lanes2[index];
      if (operation4 === null) return at;
      if (seen.has(operation4)) return Infinity;
      seen.add(operation4);
      return seen.size - 1;
    });
  };
  var chosen = (threads2, lanes2) => {
    const ranked = threads2.flatMap(({ lanes: own }) => {
      const of3 = ranks(own, lanes2);
      return own.map((index, at) => ({ index, rank: of3[at] }));
    });
    const first2 = ranked.filter(({ rank }) => rank < Infinity).sort((one, other) => one.rank - other.rank || one.index - other.index);
    return new Set(first2.slice(0, FEW).map(({ index }) => index));
  };
  var layOut = (threads2, lanes2, shows2) => {
    const few = chosen(threads2, lanes2);
    const isShown = (index) => shows2 === "all" || lanes2.length <= few.size + 1 || few.has(index);
    const all2 = { rows: [], threads: [], total: 0, hidden: 0 };
    const texts = labels(threads2);
    let top = 2;
    for (const [index, { lanes: own }] of threads2.entries()) {
      const shown2 = own.filter(isShown);
      all2.hidden += own.length - shown2.length;
      if (shown2.length === 0) continue;
      const begin3 = top;
      for (const lane of shown2) {
        all2.rows.push({ top, lane: lanes2[lane] });
        top += ROW;
      }
      all2.threads.push({ top: begin3, bottom: top, label: texts[index] });
      top += BETWEEN;
    }
    all2.total = top;
    return all2;
  };

  // src/tooltip.ts
  var shown = "";
  var show = (x3, y, title, rows3) => {
    const box = id("tooltip");
    const text = `${title}
${rows3.join("\n")}`;
    if (text !== shown) {
      shown = text;
      put(
        box,
        make("b", {}, title),
        make(
          "dl",
          {},
          rows3.map(([label2, value]) => [make("dt", {}, label2), make("dd", {}, value)])
        )
      );
    }
    box.hidden = false;
    const { width: width2, height: height2 } = box.getBoundingClientRect();
    const [right, below] = [document.documentElement.clientWidth, window.innerHeight];
    const left = x3 + 14 + width2 <= right - 4 ? x3 + 14 : Math.max(4, x3 - 14 - width2);
    const top = y + 16 + height2 <= below - 4 ? y + 16 : Math.max(4, y - 12 - height2);
    box.style.setProperty(
      "transform",
      `translate(${Math.round(Math.min(left, Math.max(4, right - width2 - 4)))}px, ${Math.round(top)}px)`
    );
  };
  var bytes3 = (amount2) => {
    const [short2, exact2] = [bytes(amount2), exact(amount2)];
    return short2 === exact2 ? exact2 : `${short2} · ${exact2}`;
  };
  var hide = () => {
    id("tooltip").hidden = true;
  };
  window.addEventListener("scroll", hide, { passive: true });

  // src/lanes.ts
  var BAR = 18;
  var NAME_WIDTH = 120;
  var data;
  var calls;
  var scroller;
  var note = make("span", { class: "faint more" });
  var canvas;
  var outline;
  var { rows, threads, total, hidden } = { rows: [], threads: [], total: 0, hidden: 0 };
  var shows = "few";
  var inner;
  var redrawn;
  var toggle = button([], () => show2(shows === "few" ? "all" : "few"));
  var found = null;
  var foundFor = "";
  var onPaper = false;
  var scrolled = 0;
  var lay = () => {
    ({ rows, threads, total, hidden } = layOut(data.threads, data.lanes, shows));
    toggle.hidden = hidden === 0 && shows === "few";
    toggle.textContent = shows === "few" ? `Show all ${grouped(data.lanes.length)} lanes` : "Show fewer lanes";
  };
  var show2 = (next2) => {
    shows = next2;
    lay();
    inner.style.setProperty("height", `${total}px`);
    redrawn();
  };
  var visible = () => onPaper ? Math.min(total, Math.floor(MAX_HEIGHT / ratio())) : Math.max(BAR + 4, Math.min(total, Math.round(window.innerHeight * 0.6), 1360));
  var end2 = (call) => calls.start[call] + calls.duration[call];
  var path3 = (call) => data.paths[calls.path[call]];
  var extent = (call) => {
    const left = Math.round(x(calls.start[call]));
    return [left, Math.max(left + 1, Math.round(x(end2(call))))];
  };
  var laneOf = (call) => data.lanes.find(({ first: first2, count }) => call >= first2 && call < first2 + count);
  var threadOf = (call) => {
    const thread = laneOf(call)?.thread;
    return data.threads.find(({ number }) => number === thread)?.whole ?? "unknown";
  };
  var rowOf = (call) => rows.find(({ lane }) => call >= lane.first && call < lane.first + lane.count);
  var drawLane = (image, { first: first2, count }, top, labels2) => {
    const { start, duration } = calls;
    const { from, to } = now;
    const scale = ratio();
    const step = perPixel() / scale;
    const left = Math.round(place.left * scale);
    const right = Math.round((place.left + plot()) * scale);
    const begin3 = place.left * scale - from / step;
    const last2 = first2 + count;
    const row = Math.max(0, Math.round(top * scale));
    const line3 = row * image.width;
    const seam = Math.max(1, Math.round(scale));
    const paint4 = (x0, x1, colour3) => {
      const [a, b] = [Math.max(left, x0), Math.min(right, x1)];
      if (b - a === 1) image.pixels32[line3 + a] = colour3;
      else if (b > a) image.pixels32.fill(colour3, line3 + a, line3 + b);
    };
    let call = Math.max(first2, above2(start, from, first2, last2) - 1);
    if (call < last2 && end2(call) < from) call++;
    while (call < last2 && start[call] <= to) {
      if (duration[call] >= 2 * step) {
        const x02 = Math.round(begin3 + start[call] / step);
        let x12 = Math.round(begin3 + end2(call) / step);
        if (x12 - x02 > 3 * seam) x12 -= seam;
        const is2 = found === null || isFound(call);
        paint4(x02, x12, is2 ? bar(calls.path[call]) : dim(calls.path[call]));
        const [a, b] = [Math.max(left, x02) / scale, Math.min(right, x12) / scale];
        if (b - a >= 26) labels2.push({ name: path3(call).name, left: a, width: b - a, top, is: is2 });
        call++;
        continue;
      }
      const column = Math.floor(start[call] / step);
      const until = (column + 1) * step;
      let next2 = call + 1;
      if (next2 < last2 && start[next2] < until) {
        next2 = next(start, until - 1e-6, next2, last2);
        if (next2 - 1 > call && duration[next2 - 1] >= 2 * step) next2--;
      }
      const hit3 = found === null ? call : foundIn(call, next2);
      const x0 = Math.round(begin3 + column);
      const x1 = next2 === call + 1 ? Math.max(x0 + 1, Math.round(begin3 + end2(call) / step)) : x0 + 1;
      paint4(x0, x1, hit3 >= 0 ? bar(calls.path[hit3]) : dim(calls.path[call]));
      call = next2;
    }
    const bottom = Math.min(image.height, Math.round((top + BAR) * scale));
    for (let y = row + 1; y < bottom; y++) image.pixels32.copyWithin(y * image.width, line3, line3 + image.width);
  };
  var foundIn = (first2, last2) => {
    if (found === null) return -1;
    const at = above2(found, first2 - 1, 0, found.length);
    return at < found.length && found[at] < last2 ? found[at] : -1;
  };
  var isFound = (call) => foundIn(call, call + 1) >= 0;
  var search2 = () => {
    const { find } = now;
    if (find === foundFor) return;
    foundFor = find;
    found = null;
    if (!find) return;
    const names3 = data.paths.map(({ whole: whole2 }) => whole2.toLowerCase().includes(find));
    let count = 0;
    for (let call = 0; call < calls.count; call++) if (names3[calls.path[call]]) count++;
    found = new Uint32Array(count);
    count = 0;
    for (let call = 0; call < calls.count; call++) if (names3[calls.path[call]]) found[count++] = call;
  };
  var draw = () => {
    if (!canvas) return;
    search2();
    const height2 = visible();
    scroller.style.setProperty("height", `${height2}px`);
    const lanes2 = counted(data.lanes.length, "lane");
    const all2 = `${hidden > 0 ? `${rows.length} of ${lanes2}` : lanes2} of ${counted(data.threads.length, "thread")}`;
    const printed = rows.filter(
      ({ top }) => top >= scroller.scrollTop && top + BAR <= scroller.scrollTop + height2
    ).length;
    const hint = onPaper ? `, ${grouped(printed)} printed` : total > height2 ? ", scroll to see the rest" : "";
    const grouped2 = data.lanes.some(({ operation: operation4 }) => operation4 !== null);
    note.textContent = `${all2}${hint}. Each bar is a call${grouped2 ? ". A thread with many concurrent calls has lanes for each operation" : ""}.`;
    const context = cleared(canvas, place.width, height2);
    const scroll2 = scroller.scrollTop;
    const { left, width: width2 } = place;
    const labels2 = [];
    const image = pixels(context);
    const first2 = Math.max(
      0,
      rows.findIndex(({ top }) => top + BAR > scroll2)
    );
    for (let row = first2; row < rows.length && rows[row].top < scroll2 + height2; row++)
      drawLane(image, rows[row].lane, rows[row].top - scroll2, labels2);
    image.put();
    context.strokeStyle = css("--edge");
    context.lineWidth = 1;
    context.beginPath();
    for (const thread of threads) {
      if (thread.bottom < scroll2 || thread.top > scroll2 + height2 || thread.top < 9) continue;
      const y = Math.round(thread.top - BETWEEN / 2 - scroll2) + 0.5;
      context.moveTo(0, y);
      context.lineTo(width2 - place.right, y);
    }
    context.stroke();
    context.textAlign = "left";
    const [ink, faint] = [label(), css("--faint")];
    for (const label2 of labels2) {
      const text = cut(context, label2.name, label2.width - 8);
      if (!text) continue;
      context.fillStyle = label2.is ? ink : faint;
      context.fillText(text, label2.left + 4, label2.top + BAR / 2 + 1);
    }
    drawNames(context, scroll2, height2);
    drawCall(context, scroll2);
    context.fillStyle = css("--ink");
    context.textAlign = "right";
    for (const thread of threads) {
      if (thread.bottom < scroll2 || thread.top > scroll2 + height2) continue;
      const y = Math.min(thread.bottom - ROW / 2 - 1, Math.max(thread.top + BAR / 2, scroll2 + BAR / 2 + 2)) - scroll2;
      const { name: name4, number } = thread.label;
      context.fillText(cut(context, name4, left - 10 - width(context, number)) + number, left - 8, y + 1);
    }
  };
  var drawNames = (context, scroll2, height2) => {
    for (const { top, lane } of rows) {
      if (lane.operation === null || top + BAR < scroll2 || top > scroll2 + height2) continue;
      const text = cut(context, data.paths[lane.operation].name, NAME_WIDTH);
      context.fillStyle = css("--paper");
      context.fillRect(place.left, top - scroll2, width(context, text) + 10, BAR);
      context.fillStyle = css("--ink");
      context.fillText(text, place.left + 4, top - scroll2 + BAR / 2 + 1);
    }
  };
  var drawCall = (context, scroll2) => {
    const { call } = now;
    const row = call >= 0 ? rowOf(call) : null;
    if (!row || end2(call) < now.from || calls.start[call] > now.to) return;
    let [x0, x1] = extent(call);
    x0 = Math.max(place.left - 4, x0);
    x1 = Math.min(place.left + plot() + 4, Math.max(x0 + 3, x1));
    context.lineWidth = 2;
    context.strokeStyle = css("--paper");
    context.strokeRect(x0 - 2, row.top - scroll2 - 2, x1 - x0 + 4, BAR + 4);
    context.strokeStyle = css("--ink");
    context.strokeRect(x0, row.top - scroll2, x1 - x0, BAR);
  };
  var hit = (x3, y) => {
    const at = y + scroller.scrollTop;
    const row = rows.find(({ top }) => at >= top && at < top + ROW);
    if (!row || x3 < place.left || x3 > place.left + plot()) return -1;
    const { first: first2, count } = row.lane;
    const ns = time(x3);
    const after = above2(calls.start, ns, first2, first2 + count);
    const far = (call) => call < first2 || call >= first2 + count ? Infinity : Math.max(0, calls.start[call] - ns, ns - end2(call)) / perPixel();
    const [one, other] = [far(after - 1), far(after)];
    if (Math.min(one, other) > 3) return -1;
    return one <= other ? after - 1 : after;
  };
  var about = (call) => {
    const { name: name4, whole: whole2, where } = path3(call);
    const delta = calls.delta[call];
    const all2 = [
      ["operation", whole2.replace(/;/g, " › ")],
      ["duration", `${span(calls.duration[call])} · ${grouped(calls.duration[call])} ns`],
      ["change", Number.isNaN(delta) ? "unknown" : `${change(delta)} · ${exact(delta)}`],
      ["before", bytes3(calls.before[call])],
      ["after", bytes3(calls.after[call])],
      ["start", moment(calls.start[call])],
      ["end", moment(end2(call))],
      ["thread", threadOf(call)]
    ];
    if (!Number.isNaN(calls.tensors[call])) all2.splice(3, 0, ["tensors", bytes3(calls.tensors[call])]);
    if (where) all2.push(["location", where]);
    return [name4, all2];
  };
  var rectangle = (call) => {
    const row = call >= 0 ? rowOf(call) : null;
    if (!row || !canvas) return null;
    const box = canvas.getBoundingClientRect();
    const [x0, x1] = extent(call);
    const [a, b] = [Math.max(x0, place.left), Math.min(x1, place.left + plot())];
    const top = row.top - scroller.scrollTop;
    if (b <= a || top < 0 || top + BAR > visible()) return null;
    return { x: box.left + a, y: box.top + top, width: b - a, height: BAR };
  };
  var frame = (call) => {
    const box = call >= 0 ? rectangle(call) : null;
    outline.hidden = !box;
    if (!box || !canvas) return;
    const base = canvas.getBoundingClientRect();
    outline.style.setProperty("transform", `translate(${box.x - base.left}px, ${box.y - base.top}px)`);
    outline.style.setProperty("width", `${Math.max(3, box.width)}px`);
  };
  var print = (begins) => {
    if (!canvas || onPaper === begins) return;
    const scroll2 = scroller.scrollTop;
    onPaper = begins;
    draw();
    if (begins) scrolled = scroll2;
    else scroller.scrollTop = scrolled;
  };
  var none = () => {
    const counted3 = data.operations.length > 0;
    return make(
      "p",
      { class: "faint none" },
      counted3 ? "The file has no individual calls. The table below has the counts of all calls." : [
        `No operations were recorded. Name parts of the program, for example with `,
        make("code", {}, `let _operation = memprof::operation!("load");`),
        `, and record again. Each call is then drawn here.`
      ]
    );
  };
  var matches = () => {
    search2();
    return found;
  };
  var lanes = () => rows.map(({ lane }) => lane);
  var name2 = (call) => path3(call).name;
  var reveal = (call) => {
    if (!rowOf(call)) show2("all");
    const row = rowOf(call);
    if (!row) return;
    const height2 = visible();
    if (row.top < scroller.scrollTop + 2) scroller.scrollTop = row.top - 4;
    else if (row.top + ROW > scroller.scrollTop + height2) scroller.scrollTop = row.top + ROW + 4 - height2;
  };
  var scroll = (pixels3) => {
    scroller.scrollTop += pixels3;
  };
  var more = () => calls.count > 0 ? [note, toggle] : [];
  var build2 = (all2, attach2, redraw2) => {
    data = all2;
    calls = data.calls;
    if (calls.count === 0) return none();
    redrawn = redraw2;
    lay();
    canvas = make2(
      `Operations: ${grouped(calls.count)} calls in ${rows.length} lanes of ${threads.length} threads. The bracket keys step through the calls of a lane, the up and down arrows change the lane, Enter zooms to a call.`
    );
    outline = make("div", { class: "outline", hidden: true });
    inner = make("div", { class: "lanes-all" }, [make("div", { class: "lanes-seen" }, [canvas, outline])]);
    inner.style.setProperty("height", `${total}px`);
    scroller = make("div", { class: "lanes", id: "lanes" }, inner);
    scroller.addEventListener("scroll", redraw2, { passive: true });
    attach2(canvas);
    addEventListener("beforeprint", () => print(true));
    addEventListener("afterprint", () => print(false));
    return scroller;
  };

  // src/chooser.ts
  var reason = ({ trigger, peak: peak2 }) => peak2 ? "peak" : trigger === "peak" ? "peak so far" : trigger;
  var describe = (snapshot2) => {
    const name4 = snapshot2.name === null ? reason(snapshot2) : `${snapshot2.name || "(no name)"} (${reason(snapshot2)})`;
    const bytes5 = snapshot2.live ?? snapshot2.resident;
    return `${name4}, ${span(snapshot2.at)}${bytes5 === null ? "" : `, ${bytes(bytes5)}`}`;
  };
  var nearest = (snapshots, index) => {
    for (let at = Math.min(index, snapshots.length - 1); at >= 0; at -= 1) if (snapshots[at].hasTree) return at;
    return snapshots.findIndex(({ hasTree }) => hasTree);
  };
  var build3 = (data7, label2, key) => {
    const all2 = data7.snapshots.flatMap(({ hasTree }, index) => hasTree ? [index] : []);
    const select2 = make("select", { onchange: () => set({ [key]: Number(select2.value) }) });
    const step = (by, sign, title) => button(
      sign,
      () => {
        const next2 = all2[all2.indexOf(Number(select2.value)) + by];
        if (next2 === void 0) return;
        set({ [key]: next2 });
        announce(describe(data7.snapshots[next2]));
      },
      { title, "aria-label": title }
    );
    const [back, on2] = [step(-1, "‹", "Previous snapshot"), step(1, "›", "Next snapshot")];
    let units = null;
    return {
      element: make("span", { class: "chooser", hidden: data7.began === null }, [
        make("label", {}, [make("span", { class: "faint" }, label2), select2]),
        back,
        on2
      ]),
      /** Updates the list and returns the index of the chosen snapshot, or -1 if there is none. */
      draw: () => {
        if (units !== now.units)
          put(
            select2,
            all2.map((index2) => make("option", { value: index2 }, describe(data7.snapshots[index2])))
          );
        units = now.units;
        const index = nearest(data7.snapshots, now[key]);
        select2.value = String(index);
        back.disabled = index === all2[0];
        on2.disabled = index === all2[all2.length - 1];
        return index;
      }
    };
  };

  // src/ruler.ts
  var TIMES = 22;
  var FLAG = 19;
  var DOTS = 26;
  var data2;
  var canvas2;
  var marks = [];
  var flags = [];
  var rows2 = 0;
  var placed = [];
  var dots = [];
  var first = (at, all2 = data2.snapshots) => {
    let [low, high] = [0, all2.length];
    while (low < high) {
      const half = low + high >>> 1;
      if (all2[half].at >= at) high = half;
      else low = half + 1;
    }
    return low;
  };
  var height = () => TIMES + rows2 * FLAG + (data2.snapshots.length > 0 ? DOTS : 4);
  var middle = () => TIMES + rows2 * FLAG + DOTS / 2 - 2;
  var COLOURS = {
    checkpoint: "--accent",
    peak: "--warn",
    out_of_memory: "--limit",
    signal: "--faint"
  };
  var colour2 = (mark) => css(COLOURS[mark.kind]);
  var line = (context, mark, top, bottom) => {
    const at = Math.round(x(mark.at)) + 0.5;
    context.strokeStyle = colour2(mark);
    context.lineWidth = mark.kind === "out_of_memory" ? 2 : 1;
    context.setLineDash(mark.kind === "checkpoint" ? [4, 3] : mark.kind === "signal" ? [1, 3] : []);
    context.beginPath();
    context.moveTo(at, top);
    context.lineTo(at, bottom);
    context.stroke();
    context.setLineDash([]);
  };
  var inView = (all2) => {
    const { from, to } = now;
    let last2 = first(to, all2);
    while (last2 < all2.length && all2[last2].at <= to) last2++;
    return all2.slice(first(from, all2), last2);
  };
  var apart = (some) => {
    let last2 = -9;
    return some.filter((mark) => {
      const at = x(mark.at);
      if (at - last2 < 3 && mark.kind !== "out_of_memory") return false;
      last2 = at;
      return true;
    });
  };
  var lines = (context, top, bottom) => {
    const { from, to, shown: shown2, before } = now;
    const visible3 = inView(marks);
    const flagged = new Set(placed.flatMap((one) => one.marks.length === 1 ? one.marks : []));
    for (const mark of apart(visible3.length > 40 ? visible3.filter((one) => flagged.has(one)) : visible3))
      line(context, mark, top, bottom);
    for (const index of [before, shown2]) {
      const one = data2.snapshots[index];
      if (!one || one.at < from || one.at > to) continue;
      context.strokeStyle = css("--accent");
      context.globalAlpha = 0.55;
      context.lineWidth = 1;
      context.strokeRect(Math.round(x(one.at)) + 0.5, top, 0, bottom - top);
      context.globalAlpha = 1;
    }
  };
  var drawTimes = (context) => {
    context.fillStyle = css("--faint");
    context.strokeStyle = css("--edge");
    context.lineWidth = 1;
    context.textAlign = "left";
    context.beginPath();
    for (const { at, text } of moments((word) => width(context, word))) {
      const x3 = Math.round(x(at)) + 0.5;
      context.moveTo(x3, 3);
      context.lineTo(x3, TIMES);
      if (x3 + 4 + width(context, text) <= place.width) context.fillText(text, x3 + 4, TIMES / 2 + 1);
    }
    context.stroke();
  };
  var drawFlags = (context) => {
    placed = [];
    if (rows2 === 0) return;
    const right = place.width;
    const unplaced = [];
    const drawn = [];
    const free = new Array(rows2).fill(0);
    const put2 = (mark) => {
      const at = x(mark.at);
      const width2 = Math.min(right < 600 ? 120 : 190, width(context, mark.text) + 12);
      const left = at + width2 > right ? at - width2 : at;
      const row = free.findIndex(
        (used, one) => left >= used && !drawn.some(
          (other) => other.row === one && other.grave && left < other.left + other.width + 4 && other.left < left + width2 + 4
        )
      );
      if (row < 0) {
        unplaced.push(mark);
        return;
      }
      const grave = mark.kind === "out_of_memory";
      if (!grave) free[row] = left + width2 + 4;
      drawn.push({ mark, at, left, width: width2, row, grave });
    };
    const visible3 = inView(flags);
    for (const mark of visible3) if (mark.kind === "out_of_memory") put2(mark);
    for (const mark of visible3) if (mark.kind !== "out_of_memory") put2(mark);
    for (const { mark, at, left, width: width2, row } of drawn) {
      const top = TIMES + row * FLAG;
      line(context, mark, top, height());
      context.fillStyle = colour2(mark);
      context.fillRect(at < left + 1 ? left : left + width2 - 3, top, 3, FLAG - 3);
      context.fillStyle = css("--card");
      context.fillRect(at < left + 1 ? left + 3 : left, top, width2 - 3, FLAG - 3);
      context.fillStyle = mark.kind === "out_of_memory" ? colour2(mark) : css("--ink");
      context.fillText(cut(context, mark.text, width2 - 9), left + 6, top + FLAG / 2 - 1);
      placed.push({ left, right: left + width2, top, bottom: top + FLAG - 3, marks: [mark] });
    }
    if (unplaced.length === 0) return;
    for (const mark of apart(unplaced)) line(context, mark, TIMES + rows2 * FLAG - 5, height());
    const text = `+${unplaced.length}`;
    context.fillStyle = css("--faint");
    context.textAlign = "right";
    context.fillText(text, place.left - 8, TIMES + FLAG / 2 - 1);
    context.textAlign = "left";
    placed.push({
      left: place.left - 8 - context.measureText(text).width,
      right: place.left - 8,
      top: TIMES,
      bottom: TIMES + FLAG,
      marks: unplaced
    });
  };
  var drawDots = (context) => {
    dots = [];
    const { from, to, shown: shown2, before } = now;
    const all2 = data2.snapshots;
    if (all2.length === 0) return;
    const y = middle();
    context.fillStyle = css("--faint");
    context.textAlign = "right";
    context.fillText(cut(context, "Snapshots", place.left - 12), place.left - 12, y);
    context.textAlign = "center";
    const draw7 = (index, letter) => {
      const x3 = x(all2[index].at);
      context.beginPath();
      context.arc(x3, y, letter ? 9 : all2[index].hasTree ? 4 : 3, 0, 7);
      context.lineWidth = 1.5;
      context.fillStyle = css(letter || all2[index].hasTree ? "--accent" : "--paper");
      context.strokeStyle = css(letter ? "--paper" : "--accent");
      context.fill();
      context.stroke();
      if (letter) {
        context.font = font(12, "bold");
        context.fillStyle = css("--paper");
        context.fillText(letter, x3, y + 0.5);
        context.font = font();
      }
    };
    const gap = 9 * perPixel();
    for (let index = first(from); index < all2.length && all2[index].at <= to; ) {
      const next2 = Math.max(index + 1, first(all2[index].at + gap));
      let best = index;
      for (let one = index; one < Math.min(next2, index + 64); one++)
        if (all2[one].hasTree) {
          best = one;
          break;
        }
      draw7(best, "");
      dots.push({ x: x(all2[best].at), index: best, beside: next2 - index - 1 });
      index = next2;
    }
    const chosen2 = shown2 === before ? [[shown2, "B"]] : [
      [before, "A"],
      [shown2, "B"]
    ];
    for (const [index, letter] of chosen2) {
      if (all2[index] && all2[index].at >= from && all2[index].at <= to) {
        draw7(index, letter);
        dots.unshift({ x: x(all2[index].at), index, beside: 0 });
      }
    }
    context.textAlign = "left";
  };
  var draw2 = () => {
    const context = cleared(canvas2, place.width, height());
    drawTimes(context);
    drawFlags(context);
    drawDots(context);
  };
  var hit2 = (x3, y) => {
    const flag = placed.find((one) => x3 >= one.left && x3 <= one.right && y >= one.top && y <= one.bottom);
    if (flag) return { marks: flag.marks };
    if (Math.abs(y - middle()) > DOTS / 2) return null;
    const dot = dots.filter((one) => Math.abs(one.x - x3) <= 9).sort((a, b) => Math.abs(a.x - x3) - Math.abs(b.x - x3))[0];
    return dot ? { snapshot: dot.index, beside: dot.beside } : null;
  };
  var choose = (index, compare2) => {
    const one = data2.snapshots[index];
    if (!one) return;
    set(compare2 ? { before: index } : { shown: index });
    announce(`${compare2 ? "Compared with" : "Showing"} ${describe2(one)}`);
  };
  var describe2 = (one) => `snapshot ${one.number}${one.name ? ` “${one.name}”` : ""} at ${span(one.at)}`;
  var showTooltip = (x3, y, clientX, clientY) => {
    const found3 = hit2(x3, y);
    canvas2.style.setProperty("cursor", found3 ? "pointer" : "");
    if (!found3) {
      hide();
      return;
    }
    if ("marks" in found3) {
      const [one2] = found3.marks;
      if (found3.marks.length === 1)
        show(clientX, clientY, one2.text, [
          ["kind", one2.kind.replace(/_/g, " ")],
          ["time", moment(one2.at)]
        ]);
      else
        show(
          clientX,
          clientY,
          `${found3.marks.length} more marks in view`,
          found3.marks.slice(0, 12).map((mark) => [span(mark.at), mark.text])
        );
      return;
    }
    const one = data2.snapshots[found3.snapshot];
    const nearby = found3.beside > 0 ? [["nearby", `${grouped(found3.beside)} more; zoom in to see them`]] : [];
    show(clientX, clientY, `Snapshot ${one.number}${one.name ? ` “${one.name}”` : ""}`, [
      ["time", moment(one.at)],
      ["reason", reason(one)],
      ["live heap", bytes3(one.live)],
      ["resident", bytes3(one.resident)],
      ["tree", one.hasTree ? "click to show it, Shift + click to compare with it" : "not in this page"],
      ...nearby
    ]);
  };
  var build4 = (all2) => {
    data2 = all2;
    marks = data2.marks.filter((mark) => mark.kind !== "peak").sort((a, b) => a.at - b.at);
    flags = marks.filter((mark) => mark.text);
    rows2 = flags.length > 3 ? 2 : flags.length > 0 ? 1 : 0;
    canvas2 = make2(
      `Time axis with ${data2.marks.length} marks and ${data2.snapshots.length} snapshots. Comma and full stop step through the snapshots.`
    );
    canvas2.classList.add("ruler");
    return canvas2;
  };
  var click = (x3, y, event) => {
    const found3 = hit2(x3, y);
    if (!found3) return false;
    if ("snapshot" in found3) choose(found3.snapshot, event.shiftKey);
    else if (found3.marks[0].snapshot !== null) choose(found3.marks[0].snapshot, event.shiftKey);
    return true;
  };
  var legend = () => {
    const kinds = new Set(data2.marks.map(({ kind: kind3 }) => kind3));
    const trees = data2.snapshots.filter(({ hasTree }) => hasTree).length;
    const sign = (name4, text, letter = "") => make("span", {}, [make("i", { class: `mark ${name4}`, "aria-hidden": "true" }, letter), text]);
    return make("p", { class: "faint signs", id: "signs" }, [
      trees > 0 && sign("dot", "snapshot with a tree: click to show it"),
      trees < data2.snapshots.length && sign("ring", "snapshot without a tree"),
      trees > 1 && sign("letter", "compared with", "A"),
      trees > 0 && sign("letter", "shown", "B"),
      kinds.has("peak") && sign("peak", "peak"),
      kinds.has("checkpoint") && sign("checkpoint", "checkpoint of the program"),
      kinds.has("out_of_memory") && sign("refused", "refused allocation"),
      kinds.has("signal") && sign("signal", "signal")
    ]);
  };

  // src/time.ts
  var time_exports = {};
  __export(time_exports, {
    all: () => all,
    build: () => build7,
    choose: () => choose2,
    debug: () => debug,
    fit: () => fit2,
    is: () => is,
    leave: () => leave,
    rangeOfView: () => rangeOfView
  });

  // src/points.ts
  var BLOCK = 16;
  var pyramid = ({ values: values2 }) => {
    const levels = [{ low: values2, high: values2 }];
    while (levels[levels.length - 1].low.length > BLOCK) {
      const below = levels[levels.length - 1];
      const count = Math.ceil(below.low.length / BLOCK);
      const level = { low: new Float64Array(count), high: new Float64Array(count) };
      for (let block = 0; block < count; block++) {
        let [low, high] = [Infinity, -Infinity];
        const last2 = Math.min(below.low.length, (block + 1) * BLOCK);
        for (let at = block * BLOCK; at < last2; at++) {
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
  var span2 = { low: 0, high: 0 };
  var widen = (levels, first2, last2) => {
    for (let depth = 0; first2 < last2; depth++) {
      const { low, high } = levels[depth];
      const top = depth === levels.length - 1;
      const take = (at) => {
        if (low[at] < span2.low) span2.low = low[at];
        if (high[at] > span2.high) span2.high = high[at];
      };
      while (first2 < last2 && (top || first2 % BLOCK !== 0)) take(first2++);
      while (first2 < last2 && last2 % BLOCK !== 0) take(--last2);
      first2 /= BLOCK;
      last2 /= BLOCK;
    }
  };
  var spanOf = (levels, first2, last2) => {
    [span2.low, span2.high] = [Infinity, -Infinity];
    widen(levels, first2, last2);
    return span2;
  };
  var visible2 = ({ times }, from, to) => {
    const last2 = above2(times, to, 0, times.length);
    return [Math.max(0, above2(times, from, 0, last2) - 1), last2];
  };
  var valueAt = ({ times, values: values2 }, ns) => {
    const at = above2(times, ns, 0, times.length) - 1;
    return at < 0 ? NaN : values2[at];
  };
  var reasonAt = ({ times, gaps }, ns) => {
    const at = above2(times, ns, 0, times.length) - 1;
    let reason3 = "";
    for (const [from, text] of gaps) {
      if (from > at) break;
      reason3 = text;
    }
    return reason3;
  };
  var forEachStep = (one, from, to, x3, each) => {
    const { times, values: values2 } = one.curve;
    const [first2, last2] = visible2(one.curve, from, to);
    const scale = ratio();
    if (last2 - first2 <= 2 * plot()) {
      for (let at2 = first2; at2 < last2; at2++) {
        const value = values2[at2];
        if (Number.isNaN(value)) continue;
        const until = at2 + 1 < times.length ? times[at2 + 1] : end();
        each(Math.round(x3(Math.max(from, times[at2])) * scale), Math.round(x3(Math.min(to, until)) * scale), value, value);
      }
      return;
    }
    const begin3 = Math.round(x3(from) * scale);
    const columns4 = Math.round(x3(to) * scale) - begin3;
    const step = (to - from) / columns4;
    let at = first2;
    for (let column = 0; column < columns4; column++) {
      const next2 = next(times, from + (column + 1) * step, at, last2);
      const { low, high } = spanOf(one.levels, at, next2);
      if (low <= high) each(begin3 + column, begin3 + column + 1, low, high);
      at = Math.max(first2, next2 - 1);
    }
  };

  // src/unknown.ts
  var MAX_REASONS = 3;
  var quoted = (names3) => names3.length <= MAX_REASONS ? names3.map((name4) => `“${name4}”`).join(", ") : `${grouped(names3.length)} curves`;
  var because = (reasons) => {
    const all2 = [...new Set(reasons)].filter(Boolean);
    return all2.length > 0 ? ` (${all2.slice(0, MAX_REASONS).join(", ")}${all2.length > MAX_REASONS ? ", …" : ""})` : "";
  };
  var sentences = ({ curves, unknown: others }) => {
    const broken = curves.filter(({ values: values2 }) => {
      const first2 = values2.findIndex((value) => !Number.isNaN(value));
      return first2 >= 0 && values2.subarray(first2).some(Number.isNaN);
    });
    const why = because(broken.flatMap(({ gaps }) => gaps.map(([, reason3]) => reason3)));
    const never = others.map(([name4]) => name4);
    const least = curves.some(({ style }) => style === "least");
    return [
      broken.length > 0 && `Gaps: not measured${why}.`,
      never.length > 0 && `Never measured: ${quoted(never)}${because(others.map(([, reason3]) => reason3))}.`,
      least && "Dashed curves “at least”: the bytes of the values that were visited."
    ].filter((text) => text !== false);
  };

  // src/curves.ts
  var data3;
  var charts = [];
  var options = { zero: true, limits: false };
  var SERIES = 8;
  var BREAKS = { dashed: [5, 3], least: [5, 3], limit: [2, 3] };
  var drawLine = (image, one, from, to, x3, y) => {
    const scale = ratio();
    const { style } = one.curve;
    const colour3 = pixel(one.variable);
    const thick = Math.max(1, Math.round((style === "limit" ? 1 : 1.5) * scale));
    const [on2, off] = (BREAKS[style] ?? [1, 0]).map((length) => Math.round(length * scale));
    const phase = Math.round(x3(0) * scale) % (on2 + off);
    let [end3, above3, below] = [-9, 0, 0];
    forEachStep(one, from, to, x3, (left, right, low, high) => {
      const top = Math.round(y(high) * scale - thick / 2);
      const bottom = Math.max(top + thick, Math.round(y(low) * scale + thick / 2));
      const dash = off === 0 ? 0 : ((left - phase) % (on2 + off) + on2 + off) % (on2 + off);
      if (dash >= on2 && right - left <= 1) {
        [end3, above3, below] = [right, top, bottom];
        return;
      }
      if (end3 === left) {
        if (top > below) image.rect(left - thick / 2, below - thick, left + thick / 2, bottom, colour3);
        else if (bottom < above3) image.rect(left - thick / 2, top, left + thick / 2, above3 + thick, colour3);
      }
      if (off === 0 || low !== high) image.rect(left, top, Math.max(left + 1, right), bottom, colour3);
      else
        for (let at = left - dash; at < right; at += on2 + off)
          image.rect(Math.max(left, at), top, Math.min(right, at + on2), bottom, colour3);
      [end3, above3, below] = [right, top, bottom];
    });
  };
  var drawArea = (image, one, from, to, x3, y) => {
    const scale = ratio();
    const colour3 = pixel(one.variable, 51);
    const floor = y(0) * scale;
    forEachStep(one, from, to, x3, (left, right, low, high) => {
      const top = y(low < 0 && high <= 0 ? low : high) * scale;
      image.rect(left, Math.min(top, floor), right, Math.max(top, floor), colour3);
    });
  };
  var fit = (chart) => {
    const { from, to } = now;
    [span2.low, span2.high] = [Infinity, -Infinity];
    const shown2 = chart.curves.filter((one) => !one.hidden);
    const limits = shown2.filter((one) => one.curve.style === "limit");
    for (const one of shown2) if (one.curve.style !== "limit") widen(one.levels, ...visible2(one.curve, from, to));
    let { low, high } = span2;
    const alone = !(low <= high);
    for (const one of limits) {
      const limit = spanOf(one.levels, ...visible2(one.curve, from, to));
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
  var drawChart = (chart) => {
    const { canvas: canvas4, height: height2 } = chart;
    const context = cleared(canvas4, place.width, height2);
    const { left } = place;
    const { from, to } = now;
    const [width2, top, bottom] = [plot(), 4, height2 - 6];
    const range = fit(chart);
    chart.range = range;
    context.fillStyle = css("--faint");
    if (!range) {
      context.textAlign = "center";
      context.fillText(
        chart.curves.every((one) => one.hidden) ? "All curves are hidden" : "No known values in view",
        left + width2 / 2,
        height2 / 2
      );
      return;
    }
    chart.y = (value) => bottom - (value - range.low) / (range.high - range.low) * (bottom - top);
    const inside = (value) => Math.min(bottom, Math.max(top, chart.y(value)));
    const shown2 = chart.curves.filter((one) => !one.hidden && (one.curve.style !== "limit" || one.near));
    const image = pixels(context);
    const scale = ratio();
    for (const one of shown2) if (one.curve.style === "fill") drawArea(image, one, from, to, x, inside);
    const ticks = amounts(range.low, range.high, chart.data.unit);
    for (const { value } of ticks)
      image.rect(
        left * scale,
        Math.round(chart.y(value) * scale),
        (left + width2) * scale,
        Math.round(chart.y(value) * scale) + 1,
        pixel("--edge")
      );
    for (const one of shown2.reverse()) drawLine(image, one, from, to, x, inside);
    image.put();
    context.textAlign = "right";
    for (const { value, text } of ticks)
      context.fillText(text, left - 8, Math.min(height2 - 7, Math.max(7, chart.y(value))));
    lines(context, top, bottom);
    if (chart === foremost()) drawPeaks(context, chart, range);
  };
  var drawPeaks = (context, chart, range) => {
    const { from, to } = now;
    const shown2 = chart.curves.filter((one) => !one.hidden && (one.curve.style !== "limit" || one.near));
    for (const mark of data3.marks) {
      if (mark.kind !== "peak" || mark.at < from || mark.at > to) continue;
      const { atPeak } = data3;
      const main2 = shown2.find((one) => one.curve.style !== "limit");
      const value = atPeak?.at === mark.at ? atPeak.live : main2 ? valueAt(main2.curve, mark.at) : NaN;
      const [x3, y] = [x(mark.at), Math.max(4, chart.y(Number.isNaN(value) ? range.high : value))];
      context.fillStyle = css("--warn");
      context.strokeStyle = css("--paper");
      context.lineWidth = 3;
      context.lineJoin = "round";
      context.beginPath();
      context.moveTo(x3, y + 1);
      context.lineTo(x3 - 5, y - 8 < 4 ? y + 10 : y - 8);
      context.lineTo(x3 + 5, y - 8 < 4 ? y + 10 : y - 8);
      context.closePath();
      context.stroke();
      context.fill();
      const highest = atPeak?.at === mark.at ? atPeak.bytes : value;
      const text = Number.isNaN(highest) ? mark.text : `peak ${figure(highest, chart.data.unit)}`;
      const width2 = width(context, text);
      const places3 = [-4, 14, -18, 28, -32].flatMap((down) => [x3 + 9, x3 - 9 - width2].map((left) => ({ left, middle: Math.round(y + down) }))).filter(({ left, middle: middle2 }) => left > place.left && left + width2 <= place.width && middle2 >= 9).filter(({ middle: middle2 }) => middle2 <= chart.height - 12);
      const crossings = ({ left, middle: middle2 }) => shown2.reduce((sum2, one) => {
        const [first2, last2] = [left, left + width2].map((edge) => time(edge));
        const { low, high } = spanOf(one.levels, ...visible2(one.curve, first2, last2));
        return sum2 + Number(low <= high && chart.y(high) < middle2 + 8 && chart.y(low) > middle2 - 8);
      }, 0);
      const place3 = places3.reduce((best, one) => crossings(one) < crossings(best) ? one : best, places3[0]);
      if (!place3) continue;
      context.textAlign = "left";
      context.globalAlpha = 0.85;
      context.fillStyle = css("--paper");
      context.fillRect(place3.left - 3, place3.middle - 8, width2 + 6, 16);
      context.globalAlpha = 1;
      context.fillStyle = css("--warn");
      context.fillText(text, place3.left, place3.middle);
    }
  };
  var foremost = () => charts.find((one) => !one.data.folded && one.curves.length > 0) ?? charts[0];
  var main = () => {
    const chart = foremost();
    return chart?.curves.find((one) => one.curve.style === "fill") ?? chart?.curves[0];
  };
  var outline2 = (image, x3, top, bottom) => {
    const one = main();
    if (!one) return;
    const range = spanOf(one.levels, 0, one.curve.values.length);
    const [low, high] = [Math.min(0, range.low), Math.max(0, range.high)];
    if (!(low < high)) return;
    const y = (value) => bottom - (value - low) / (high - low) * (bottom - top);
    drawArea(image, one, 0, end(), x3, y);
    drawLine(image, one, 0, end(), x3, y);
  };
  var showValues = (ns) => {
    const at = ns ?? now.to;
    for (const chart of charts) {
      for (const one of chart.curves) {
        const value = valueAt(one.curve, at);
        const text = figure2(one.curve, value, chart.data.unit);
        if (one.value.textContent !== text) one.value.textContent = text;
        if (one.curve.style === "limit") one.far.hidden = one.near || one.hidden;
        one.value.title = Number.isNaN(value) ? unknown(one.curve, at) : chart.data.unit === "bytes" ? exact(value) : "";
      }
    }
  };
  var figure2 = ({ style }, value, unit, bytes5 = bytes) => `${style === "least" && !Number.isNaN(value) ? "≥ " : ""}${unit === "bytes" ? bytes5(value) : figure(value, unit)}`;
  var unknown = (curve, ns) => {
    const reason3 = reasonAt(curve, ns);
    return reason3 ? `unknown: ${reason3}` : "unknown";
  };
  var figures = (chart, ns) => chart.curves.filter((one) => !one.hidden).map((one) => {
    const value = valueAt(one.curve, ns);
    if (Number.isNaN(value)) return [one.curve.name, unknown(one.curve, ns)];
    return [one.curve.name, figure2(one.curve, value, chart.data.unit, bytes3)];
  });
  var whole = ({ name: name4 }) => name4.replace(/, at least$/, "");
  var VARIABLES = { limit: "--limit", dashed: "--resident" };
  var built = (data7, redraw2) => {
    let series = 0;
    const used = /* @__PURE__ */ new Set();
    const colours = /* @__PURE__ */ new Map();
    const curves = data7.curves.map((curve) => {
      let variable = curve.style === "fill" && !used.has("--heap") ? "--heap" : VARIABLES[curve.style];
      if (curve.style === "least") variable = colours.get(whole(curve));
      if (!variable || used.has(variable) && variable !== "--limit" && curve.style !== "least") {
        do
          variable = `--series-${series++ % SERIES + 1}`;
        while (series === 1 && used.has("--heap"));
      }
      used.add(variable);
      colours.set(curve.name, variable);
      const toggle2 = () => {
        one.hidden = !one.hidden;
        one.button.setAttribute("aria-pressed", String(!one.hidden));
        redraw2();
      };
      const one = {
        curve,
        levels: pyramid(curve),
        variable,
        hidden: false,
        near: true,
        value: make("b", { class: "number" }),
        far: make("span", { class: "faint", hidden: true }, "above the chart"),
        sign: make("i", { class: `sign ${curve.style}` }),
        button: button([], toggle2, { "aria-pressed": "true", title: `Show or hide ${curve.name}` })
      };
      put(one.button, one.sign, make("span", {}, curve.name), one.value, one.far);
      return one;
    });
    const label2 = `${data7.title} over time: ${data7.curves.map((one) => one.name).join(", ")}`;
    return { data: data7, height: 0, range: null, y: () => 0, open: !data7.folded, curves, canvas: make2(label2) };
  };
  var build5 = (all2, element, attach2, redraw2) => {
    data3 = all2;
    charts = data3.charts.map((data7) => built(data7, redraw2));
    put(
      element,
      charts.map((chart, index) => {
        const { data: data7 } = chart;
        chart.height = index === 0 ? 168 : 112;
        attach2(chart.canvas, chart);
        const legend2 = make(
          "div",
          { class: "legend", role: "group", "aria-label": `Curves of ${data7.title}` },
          chart.curves.map((one) => one.button)
        );
        const sentences2 = sentences(data7).join(" ");
        const body = make("div", { class: "chart-body", hidden: !chart.open }, [
          data7.curves.length > 0 && [legend2, chart.canvas],
          sentences2 !== "" && make("p", { class: "faint gaps" }, sentences2)
        ]);
        const toggle2 = () => {
          chart.open = !chart.open;
          body.hidden = !chart.open;
          fold2.setAttribute("aria-expanded", String(chart.open));
          redraw2();
        };
        const fold2 = button(data7.title, toggle2, { class: "fold", "aria-expanded": String(chart.open) });
        return make("section", { class: "chart" }, [make("h3", {}, fold2), body]);
      })
    );
  };
  var draw3 = () => {
    for (const chart of charts) if (chart.open && chart.curves.length > 0) drawChart(chart);
  };
  var paint = () => {
    for (const chart of charts)
      for (const one of chart.curves) one.sign.style.setProperty("--sign", `var(${one.variable})`);
  };
  var named = (title, name4) => {
    const chart = charts.find((one2) => one2.data.title === title);
    const one = chart?.curves.find((each) => each.curve.name === name4);
    return chart && one ? { chart, one, at: (ns) => valueAt(one.curve, ns) } : null;
  };
  var of2 = (canvas4) => charts.find((one) => one.canvas === canvas4) ?? null;

  // src/gestures.ts
  var pixels2 = (event, amount2) => amount2 * (event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1);
  var wheel = (event, ns) => {
    const [across2, down] = [pixels2(event, event.deltaX), pixels2(event, event.deltaY)];
    if (event.ctrlKey || event.metaKey) zoom(Math.exp(Math.max(-30, Math.min(30, down)) * 0.01), ns);
    else if (event.shiftKey) pan((across2 || down) * perPixel());
    else if (Math.abs(across2) > Math.abs(down)) pan(across2 * perPixel());
    else return;
    event.preventDefault();
  };
  var attach = (element, on2) => {
    const fingers = /* @__PURE__ */ new Map();
    let drag = null;
    const at = (event) => {
      const box = element.getBoundingClientRect();
      return [event.clientX - box.left, event.clientY - box.top];
    };
    const spread = () => {
      const [one, other] = [...fingers.values()];
      return { width: Math.max(12, Math.abs(one - other)), middle: (one + other) / 2 };
    };
    element.addEventListener("wheel", (event) => wheel(event, time(at(event)[0])), { passive: false });
    element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const [x3, y] = at(event);
      fingers.set(event.pointerId, x3);
      element.setPointerCapture(event.pointerId);
      if (fingers.size === 2) {
        const { width: width2, middle: middle2 } = spread();
        drag = { kind: "pinch", width: width2, time: time(middle2), span: now.to - now.from, moved: true };
      } else
        drag = { kind: event.shiftKey ? "range" : "pan", x: x3, y, lastX: x3, lastY: y, time: time(x3), moved: false };
    });
    element.addEventListener("pointermove", (event) => {
      const [x3, y] = at(event);
      if (!drag || !fingers.has(event.pointerId)) {
        if (event.pointerType !== "touch") on2.move(x3, y, event);
        return;
      }
      fingers.set(event.pointerId, x3);
      if (drag.kind === "pinch") {
        if (fingers.size < 2) return;
        const { width: width2, middle: middle2 } = spread();
        const span3 = Math.min(end(), drag.span * (drag.width / width2));
        const from = drag.time - span3 * ((middle2 - place.left) / plot());
        setView(from, from + span3);
        return;
      }
      if (!drag.moved) {
        if (Math.abs(x3 - drag.x) + Math.abs(y - drag.y) <= 4) return;
        drag.moved = true;
        on2.leave();
      }
      if (drag.kind === "range") select(drag.time, time(x3));
      else {
        pan((drag.lastX - x3) * perPixel());
        if (on2.scroll && event.pointerType !== "touch") on2.scroll(drag.lastY - y);
      }
      Object.assign(drag, { lastX: x3, lastY: y });
    });
    const end3 = (event) => {
      if (!fingers.delete(event.pointerId)) return;
      if (event.type === "pointerup" && drag && !drag.moved) on2.click(...at(event), event);
      if (fingers.size === 0 || drag?.kind === "pinch") drag = null;
    };
    element.addEventListener("pointerup", end3);
    element.addEventListener("pointercancel", end3);
    element.addEventListener("pointerleave", (event) => {
      if (event.pointerType !== "touch") on2.leave();
    });
    element.addEventListener("dblclick", (event) => on2.double?.(...at(event)));
  };

  // src/overview.ts
  var HEIGHT = 64;
  var DENSE = 16;
  var data4;
  var canvas3;
  var view;
  var selected;
  var drawnFor = "";
  var density = null;
  var x2 = (ns) => place.left + ns / end() * plot();
  var time2 = (at) => (at - place.left) / plot() * end();
  var counted2 = (columns4) => {
    if (density?.length === columns4) return density;
    density = new Float64Array(columns4);
    const { start, duration } = data4.calls;
    const step = end() / columns4;
    for (const { first: first2, count } of data4.lanes) {
      let next2 = first2;
      for (let column = 0; column < columns4 && next2 < first2 + count; column++) {
        const above3 = next(start, (column + 1) * step, next2, first2 + count);
        density[column] += above3 - next2;
        next2 = above3 > next2 && start[above3 - 1] + duration[above3 - 1] > (column + 1) * step ? above3 - 1 : above3;
      }
    }
    return density;
  };
  var draw4 = (force = false) => {
    const key = `${place.width} ${place.left} ${window.devicePixelRatio}`;
    if (force || key !== drawnFor) {
      drawnFor = key;
      const context = cleared(canvas3, place.width, HEIGHT);
      const width2 = plot();
      const scale = ratio();
      const image = pixels(context);
      image.rect(place.left * scale, 0, (place.left + width2) * scale, HEIGHT * scale, pixel("--card"));
      const dense = data4.calls.count > 0 ? DENSE : 0;
      outline2(image, x2, 4, HEIGHT - dense - 2);
      image.put();
      if (dense) {
        const columns4 = counted2(Math.floor(width2));
        const most = columns4.reduce((one, other) => Math.max(one, other), 1);
        context.fillStyle = css("--faint");
        for (let column = 0; column < columns4.length; column++) {
          if (columns4[column] === 0) continue;
          const height2 = 2 + (DENSE - 4) * Math.sqrt(columns4[column] / most);
          context.fillRect(place.left + column, HEIGHT - height2, 1, height2);
        }
      }
      context.fillStyle = css("--faint");
      context.textAlign = "right";
      context.fillText("All", place.left - 8, 12);
      if (dense) context.fillText("Calls", place.left - 8, HEIGHT - 9);
      context.textAlign = "left";
    }
    const lay2 = (element, from2, to2) => {
      element.style.setProperty("transform", `translateX(${x2(from2)}px)`);
      element.style.setProperty("width", `${Math.max(3, x2(to2) - x2(from2))}px`);
    };
    const { from, to, range } = now;
    lay2(view, from, to);
    selected.hidden = !range;
    if (range) lay2(selected, range.from, range.to);
  };
  var build6 = (all2) => {
    data4 = all2;
    canvas3 = make2("The whole session. A and D move the part in view, W and S zoom.");
    selected = make("div", { class: "selected", hidden: true });
    view = make("div", { class: "brush" }, [make("i"), make("i")]);
    const strip = make("div", { class: "overview" }, [canvas3, selected, view]);
    let drag = null;
    const at = (event) => event.clientX - canvas3.getBoundingClientRect().left;
    strip.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const here = at(event);
      const { from, to } = now;
      const whole2 = from <= 0 && to >= end();
      const part2 = event.shiftKey ? "range" : Math.abs(here - x2(from)) <= 8 ? "from" : Math.abs(here - x2(to)) <= 8 ? "to" : whole2 ? "new" : here > x2(from) && here < x2(to) ? "move" : "jump";
      drag = { part: part2, here, from, to, moved: false };
      if (part2 === "jump") {
        pan(time2(here) - (from + to) / 2);
        Object.assign(drag, { part: "move", from: now.from, to: now.to });
      }
      strip.setPointerCapture(event.pointerId);
      event.preventDefault();
      canvas3.focus({ preventScroll: true });
    });
    strip.addEventListener("pointermove", (event) => {
      const here = at(event);
      if (!drag) {
        const edge = [now.from, now.to].some((one) => Math.abs(here - x2(one)) <= 8);
        strip.style.setProperty("cursor", edge ? "ew-resize" : "");
        return;
      }
      if (Math.abs(here - drag.here) > 3) drag.moved = true;
      if (!drag.moved) return;
      const [now2, then] = [Math.min(end(), Math.max(0, time2(here))), time2(drag.here)];
      if (drag.part === "range") select(then, now2);
      else if (drag.part === "new") setView(Math.min(then, now2), Math.max(then, now2));
      else if (drag.part === "from") setView(Math.min(now2, drag.to), Math.max(now2, drag.to));
      else if (drag.part === "to") setView(Math.min(now2, drag.from), Math.max(now2, drag.from));
      else {
        const start = Math.min(end() - (drag.to - drag.from), Math.max(0, drag.from + now2 - then));
        setView(start, start + drag.to - drag.from);
      }
    });
    strip.addEventListener("wheel", (event) => wheel(event, time2(at(event))), { passive: false });
    for (const name4 of ["pointerup", "pointercancel"])
      strip.addEventListener(name4, () => {
        drag = null;
      });
    return strip;
  };

  // src/time.ts
  var data5;
  var stack;
  var line2;
  var selected2;
  var inView2;
  var cursor = null;
  var pending2 = 0;
  var pointed = null;
  var toggles = [];
  var draw5 = () => {
    if (!stack) return;
    cancelAnimationFrame(pending2);
    pending2 = 0;
    resize(stack.clientWidth);
    draw2();
    draw3();
    draw();
    draw4();
    shade();
    showInView();
    pointed?.();
  };
  var redraw = () => {
    if (pending2 === 0) pending2 = requestAnimationFrame(draw5);
  };
  var shade = () => {
    if (!stack) return;
    const { range } = now;
    stack.style.setProperty("--left", `${place.left}px`);
    stack.style.setProperty("--right", `${place.right}px`);
    selected2.hidden = !range;
    if (!range) return;
    const width2 = plot();
    const [left, right] = [range.from, range.to].map(
      (at) => Math.min(width2 + 4, Math.max(-4, x(at) - place.left))
    );
    selected2.style.setProperty("transform", `translateX(${left}px)`);
    selected2.style.setProperty("width", `${Math.max(1, right - left)}px`);
  };
  var point = (x3) => {
    const inside = x3 !== null && x3 >= place.left && x3 <= place.left + plot() ? x3 : null;
    cursor = inside === null ? null : time(inside);
    line2.hidden = inside === null;
    if (inside !== null) line2.style.setProperty("transform", `translateX(${Math.round(inside - place.left)}px)`);
    showValues(cursor);
  };
  var showInView = () => {
    const { from, to, range } = now;
    const whole2 = from <= 0 && to >= end();
    const text = `${whole2 ? `whole session: ${span(to)}` : `${span(to - from)} in view, from ${span(from)}`}${range ? ` · range of ${span(range.to - range.from)} from ${span(range.from)}` : ""}`;
    if (inView2.textContent !== text) inView2.textContent = text;
    for (const { button: button3, isPressed, isEnabled } of toggles) {
      if (isPressed) button3.setAttribute("aria-pressed", String(isPressed()));
      if (isEnabled) button3.disabled = !isEnabled();
    }
    showValues(cursor);
  };
  var fit2 = (call) => {
    const { start, duration } = data5.calls;
    const margin = Math.max(duration[call] * 0.1, 5);
    setView(start[call] - margin, end2(call) + margin);
    reveal(call);
  };
  var all = () => setView(0, end());
  var isRangeOfView = () => {
    const { from, to, range } = now;
    return range !== null && range.from === from && range.to === to;
  };
  var rangeOfView = () => set({ range: { from: now.from, to: now.to } });
  var reveal2 = () => {
    const { call, from, to } = now;
    if (call < 0) return;
    const { start, duration } = data5.calls;
    if (end2(call) <= from || start[call] >= to) pan(start[call] + duration[call] / 2 - (from + to) / 2);
    reveal(call);
  };
  var choose2 = (call) => {
    set({ call });
    const { duration, delta } = data5.calls;
    announce(`${name2(call)}, ${span(duration[call])}, ${change(delta[call])}`);
    point(null);
    pointed = () => {
      const box = rectangle(call);
      if (box && now.call === call)
        show(box.x + Math.min(box.width, 40), box.y + box.height, ...about(call));
      else hide();
    };
    redraw();
  };
  var overLanes = (x3, y, event) => {
    pointed = () => overLanes(x3, y, event);
    point(x3);
    const call = hit(x3, y);
    frame(call);
    if (call >= 0) show(event.clientX, event.clientY, ...about(call));
    else hide();
  };
  var overChart = (chart) => (x3, y, event) => {
    pointed = () => overChart(chart)(x3, y, event);
    point(x3);
    if (cursor === null) hide();
    else show(event.clientX, event.clientY, moment(Math.round(cursor)), figures(chart, cursor));
  };
  var leave = () => {
    if (!stack) return;
    pointed = null;
    point(null);
    if (data5.calls.count > 0) frame(-1);
    hide();
  };
  var toolbar = () => {
    const button3 = (text, label2, run2, more2 = {}) => {
      const then = () => {
        run2();
        redraw();
      };
      const element = button(text, then, { title: label2, "aria-label": /\w/.test(text) ? null : label2 });
      toggles.push({ button: element, ...more2 });
      return element;
    };
    const full = () => now.from <= 0 && now.to >= end();
    inView2 = make("output", { class: "faint", id: "in-view" });
    return make("div", { class: "time-bar", role: "toolbar", "aria-label": "Time in view" }, [
      button3("−", "Zoom out (S)", () => zoom(1.6), { isEnabled: () => !full() }),
      button3("+", "Zoom in (W)", () => zoom(1 / 1.6)),
      button3("←", "Earlier (A)", () => pan((now.from - now.to) / 4), {
        isEnabled: () => now.from > 0
      }),
      button3("→", "Later (D)", () => pan((now.to - now.from) / 4), {
        isEnabled: () => now.to < end()
      }),
      button3("Fit", "Show the whole session (F)", all, { isEnabled: () => !full() }),
      make("span", { class: "time-tables" }, [
        make("span", { class: "faint" }, "Tables"),
        button3("Only the time in view", "Limit the tables to the time in view (R)", rangeOfView, {
          isPressed: isRangeOfView
        }),
        button3("Whole session", "Show the whole session in the tables (Esc)", () => set({ range: null }), {
          isPressed: () => now.range === null
        })
      ]),
      inView2,
      make("span", { class: "time-ways" }, [
        button3(
          "Axis from 0",
          "Start the axes of bytes at 0. Otherwise they fit the values in view.",
          () => {
            options.zero = !options.zero;
          },
          { isPressed: () => options.zero }
        ),
        data5.charts.some((chart) => chart.curves.some((curve) => curve.style === "limit")) ? button3(
          "Capacity",
          "Show capacities and limits, even if they are far above the curves",
          () => {
            options.limits = !options.limits;
          },
          { isPressed: () => options.limits }
        ) : null
      ])
    ]);
  };
  var build7 = (given, element) => {
    data5 = given;
    const ruler = build4(data5);
    learn(data5.paths);
    begin(data5);
    const moves = data5.calls.count > 0 || data5.snapshots.length > 1 || data5.charts.some((chart) => chart.curves.some((curve) => curve.times.length > 1));
    if (!(data5.end > 0) || !moves) {
      put(
        element,
        make(
          "p",
          { class: "faint none" },
          "This file has no data over time. For a session, this part of the page shows curves and operations."
        )
      );
      return;
    }
    const click2 = (chart) => (x3, y, event) => {
      if (event.pointerType === "touch") overChart(chart)(x3, y, event);
    };
    const charts2 = make("div", { class: "charts" });
    line2 = make("div", { class: "cursor", hidden: true });
    selected2 = make("div", { class: "selected", hidden: true });
    attach(ruler, {
      move: (x3, y, event) => {
        pointed = null;
        point(x3);
        showTooltip(x3, y, event.clientX, event.clientY);
      },
      leave,
      click: (x3, y, event) => {
        if (click(x3, y, event)) showTooltip(x3, y, event.clientX, event.clientY);
      }
    });
    build5(
      data5,
      charts2,
      (canvas4, chart) => attach(canvas4, { move: overChart(chart), leave, click: click2(chart) }),
      redraw
    );
    const lanes2 = build2(
      data5,
      (canvas4) => attach(canvas4, {
        move: overLanes,
        leave,
        scroll,
        click: (x3, y, event) => {
          set({ call: hit(x3, y) });
          if (event.pointerType === "touch") overLanes(x3, y, event);
        },
        double: (x3, y) => {
          const call = hit(x3, y);
          if (call >= 0) fit2(call);
        }
      }),
      redraw
    );
    stack = make("div", { class: "time-stack" }, [
      build6(data5),
      ruler,
      legend(),
      charts2,
      make("h3", { class: "lanes-title" }, ["Operations ", more()]),
      lanes2,
      make("div", { class: "over" }, [selected2, line2])
    ]);
    put(element, toolbar(), stack);
    onchange(() => {
      draw4(true);
      redraw();
    });
    paint();
    on(["call"], reveal2);
    on(["from", "to", "units", "shown", "before", "find", "call"], draw5);
    on(["units"], () => draw4(true));
    on(["range"], () => {
      shade();
      draw4();
      showInView();
    });
    new ResizeObserver(() => {
      if (stack?.clientWidth !== place.width) redraw();
    }).observe(stack);
    window.addEventListener("resize", redraw);
    redraw();
  };
  var debug = {
    /** Returns what is at a point of the window: the index of a call, a time, or a part of the
     * ruler or of a chart. */
    hit: (kind3, clientX, clientY) => {
      const element = document.elementFromPoint(clientX, clientY)?.closest("canvas");
      if (!element) return null;
      const box = element.getBoundingClientRect();
      const [x3, y] = [clientX - box.left, clientY - box.top];
      if (kind3 === "lanes") return hit(x3, y);
      if (kind3 === "ruler") return hit2(x3, y);
      if (kind3 === "overview") return time2(x3);
      const chart = of2(element);
      return chart ? {
        chart: chart.data.title,
        at: time(x3),
        values: chart.curves.map((one) => [one.curve.name, valueAt(one.curve, time(x3))])
      } : null;
    },
    callRect: (call) => data5?.calls.count > call ? rectangle(call) : null,
    curvePoint: (title, name4, ns) => {
      const named2 = named(title, name4);
      if (!named2?.chart.range) return null;
      const box = named2.chart.canvas.getBoundingClientRect();
      return { x: box.left + x(ns), y: box.top + named2.chart.y(named2.at(ns)), value: named2.at(ns) };
    },
    colour: (index) => operation2(index)
  };
  var is = () => stack !== void 0;

  // src/keys.ts
  var data6;
  var HELP = `View
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
  var keyNames = (keys) => /drag|click|wheel/.test(keys) ? keys : keys.split("  ").map((key, at) => [at > 0 && " ", make("kbd", {}, key)]);
  var help = () => {
    const dialog = id("help");
    if (!dialog.firstChild) {
      const group = (text) => {
        const [title, ...lines2] = text.split("\n");
        const rows3 = lines2.map((line3) => {
          const [keys, meaning] = line3.split(" | ");
          return make("tr", {}, [make("th", { scope: "row" }, keyNames(keys)), make("td", {}, meaning)]);
        });
        return [make("h3", {}, title), make("table", { class: "keys" }, make("tbody", {}, rows3))];
      };
      put(
        dialog,
        make("h2", { id: "help-title" }, "Keys and mouse"),
        HELP.split("\n\n").map(group),
        button("Close", () => dialog.close())
      );
    }
    if (dialog.open) dialog.close();
    else dialog.showModal();
  };
  var begin2 = () => {
    const { from, to } = now;
    for (const { first: first2, count } of lanes()) {
      const call = Math.max(first2, above2(data6.calls.start, from, first2, first2 + count) - 1);
      const best = call < first2 + count && end2(call) < from ? call + 1 : call;
      if (best < first2 + count && data6.calls.start[best] <= to) return best;
    }
    return 0;
  };
  var along = (step) => {
    if (data6.calls.count === 0) return;
    const { call } = now;
    if (call < 0) {
      choose2(begin2());
      return;
    }
    const lane = rowOf(call)?.lane;
    if (!lane) return;
    const { first: first2, count } = lane;
    const next2 = call + step;
    if (next2 < first2 || next2 >= first2 + count)
      announce(step < 0 ? "the first call of this lane" : "the last call of this lane");
    else choose2(next2);
  };
  var across = (step) => {
    if (data6.calls.count === 0) return;
    const { call } = now;
    if (call < 0) {
      choose2(begin2());
      return;
    }
    const lanes2 = lanes();
    const { start } = data6.calls;
    const here = rowOf(call)?.lane;
    const lane = here && lanes2[lanes2.indexOf(here) + step];
    if (!lane) {
      announce(step < 0 ? "the first lane" : "the last lane");
      return;
    }
    const after = above2(start, start[call], lane.first, lane.first + lane.count);
    const before = Math.max(lane.first, after - 1);
    const near = after < lane.first + lane.count && start[after] - start[call] < start[call] - end2(before) ? after : before;
    choose2(near);
  };
  var found2 = (step) => {
    const all2 = matches();
    if (!all2 || all2.length === 0) {
      announce(all2 ? "no match" : "the search is empty");
      return;
    }
    const { start } = data6.calls;
    const { call } = now;
    const from = call >= 0 ? start[call] : now.from - 1;
    const later = (a, b) => start[a] - start[b] || a - b;
    let best = -1;
    let wrap = -1;
    for (const one of all2) {
      if (one === call) continue;
      const ahead = (call >= 0 ? later(one, call) : start[one] - from) * step > 0;
      if (ahead && (best < 0 || later(one, best) * step < 0)) best = one;
      if (wrap < 0 || later(one, wrap) * step < 0) wrap = one;
    }
    const next2 = best >= 0 ? best : wrap;
    if (next2 >= 0) choose2(next2);
  };
  var snapshot = (step, compared2) => {
    const index = now[compared2 ? "before" : "shown"];
    const next2 = index < 0 ? step > 0 ? 0 : data6.snapshots.length - 1 : index + step;
    if (data6.snapshots[next2]) choose(next2, compared2);
    else announce(step < 0 ? "the first snapshot" : "the last snapshot");
  };
  var view2 = () => now.to - now.from;
  var MOVES = {
    w: () => zoom(1 / 1.5),
    s: () => zoom(1.5),
    "+": () => zoom(1 / 1.5),
    "=": () => zoom(1 / 1.5),
    "-": () => zoom(1.5),
    a: () => pan(-view2() / 5),
    d: () => pan(view2() / 5),
    f: all,
    r: rangeOfView
  };
  var KEYS = {
    "[": () => along(-1),
    "]": () => along(1),
    n: () => found2(1),
    N: () => found2(-1),
    ",": () => snapshot(-1, false),
    ".": () => snapshot(1, false),
    "<": () => snapshot(-1, true),
    ">": () => snapshot(1, true),
    "?": help,
    "/": () => {
      id("find").focus();
      id("find").select();
    },
    Escape: () => {
      leave();
      set({ range: null, call: -1, find: "" });
    }
  };
  var ON_CANVAS = {
    ArrowLeft: MOVES.a,
    ArrowRight: MOVES.d,
    ArrowUp: () => across(-1),
    ArrowDown: () => across(1),
    Enter: () => {
      if (now.call >= 0) fit2(now.call);
    }
  };
  var press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const on2 = event.target instanceof Element ? event.target : document.body;
    if (on2.closest("input, select, textarea, dialog, [contenteditable]")) return;
    const tabs2 = document.querySelectorAll("#tabs [role=tab]");
    const pane = /^[1-9]$/.test(event.key) ? tabs2[Number(event.key) - 1] : null;
    const key = event.key.length === 1 && event.key !== "N" ? event.key.toLowerCase() : event.key;
    const run2 = pane ? () => pane.click() : KEYS[key] ?? (is() ? MOVES[key] : null) ?? (on2.closest("#time canvas") ? ON_CANVAS[key] : null);
    if (!run2) return;
    event.preventDefault();
    run2();
  };
  var build8 = (all2) => {
    data6 = all2;
    document.addEventListener("keydown", press);
    id("keys").addEventListener("click", help);
  };

  // src/panes.ts
  var panes_exports = {};
  __export(panes_exports, {
    build: () => build16,
    debug: () => debug2
  });

  // src/difference.ts
  var difference_exports = {};
  __export(difference_exports, {
    build: () => build11
  });

  // src/icicle.ts
  var ROW2 = 24;
  var LEVELS = 40;
  var MIN_WIDTH = 2;
  var PAD = 5;
  var NONE = { at: -1 };
  var build9 = ({ label: label2, paint: paint4, describe: describe5, amount: amount2 }) => {
    const canvas4 = make("canvas", {
      tabindex: 0,
      role: "application",
      "aria-roledescription": "icicle",
      "aria-label": `${label2}. Arrows move, Enter zooms in, Backspace zooms out.`
    });
    const trail = make("nav", { class: "trail", "aria-label": "Path of the shown branch" });
    const deeper = make("p", { class: "faint", hidden: true }, "There are more levels below: zoom in to see them.");
    const element = make("div", { class: "icicle" }, [trail, canvas4, deeper]);
    let shape;
    let root = 0;
    let boxes = [];
    let focus = NONE;
    let hover = NONE;
    let width2 = 0;
    const layout = () => {
      boxes = [];
      deeper.hidden = true;
      const whole2 = shape.width[root];
      if (!(whole2 > 0)) return;
      const scale = width2 / whole2;
      const place3 = (at2, x3, level) => {
        boxes.push({ at: at2, x: x3, level, w: shape.width[at2] * scale, more: 0, bytes: shape.width[at2] });
        if (level + 1 === LEVELS) {
          deeper.hidden = deeper.hidden && childCount(shape, at2) === 0;
          return;
        }
        const below = children(shape, at2);
        let left = x3;
        for (let index = 0; index < below.length; index += 1) {
          const w = shape.width[below[index]] * scale;
          if (w < MIN_WIDTH) {
            rest(at2, below, index, left, level + 1);
            return;
          }
          place3(below[index], left, level + 1);
          left += w;
        }
      };
      const rest = (at2, below, index, x3, level) => {
        let bytes5 = 0;
        for (let one = index; one < below.length; one += 1) bytes5 += shape.width[below[one]];
        if (bytes5 * scale >= 1) boxes.push({ at: at2, x: x3, level, w: bytes5 * scale, more: below.length - index, bytes: bytes5 });
      };
      place3(root, 0, 0);
    };
    const hatch = (context, x3, y, w, h) => {
      context.save();
      context.beginPath();
      context.rect(x3, y, w, h);
      context.clip();
      context.strokeStyle = css("--hatch");
      context.globalAlpha = 0.55;
      context.beginPath();
      for (let from = x3 - h - x3 % 6; from < x3 + w; from += 6) {
        context.moveTo(from, y + h);
        context.lineTo(from + h, y);
      }
      context.stroke();
      context.restore();
    };
    const drawBox = (context, box) => {
      const [x3, y, w, h] = [box.x, box.level * ROW2, Math.max(1, box.w - (box.w > 3 ? 1 : 0)), ROW2 - 1];
      const { color, strength, hatched } = box.more ? { color: "--same", strength: 1, hatched: 0 } : paint4(shape, box.at);
      context.globalAlpha = strength;
      context.fillStyle = color.startsWith("--") ? css(color) : color;
      context.fillRect(x3, y, w, h);
      context.globalAlpha = 1;
      if (hatched > 0) hatch(context, x3 + w * (1 - hatched), y, w * hatched, h);
      const found3 = !box.more && isActive() && has(name(shape, box.at));
      if (found3 || same2(box, hover) || same2(box, focus) && document.activeElement === canvas4) {
        context.lineWidth = found3 || same2(box, focus) ? 2 : 1;
        context.strokeStyle = css(
          same2(box, hover) && !same2(box, focus) ? "--ink" : found3 && !same2(box, focus) ? "--warn" : "--accent"
        );
        context.strokeRect(x3 + 1, y + 1, Math.max(1, w - 2), h - 2);
        context.lineWidth = 1;
      }
      if (w < 22) return;
      const name4 = box.more ? `${grouped(box.more)} more` : name(shape, box.at);
      const bytes5 = box.more || !amount2 ? bytes(box.bytes) : amount2(shape, box.at);
      const text = cut(context, name4, w - 2 * PAD);
      context.fillStyle = css("--ink");
      context.fillText(text, x3 + PAD, y + h / 2 + 0.5);
      const used = context.measureText(`${text}  `).width;
      if (text === name4 && used + context.measureText(bytes5).width <= w - 2 * PAD) {
        context.globalAlpha = 0.8;
        context.fillText(bytes5, x3 + PAD + used, y + h / 2 + 0.5);
        context.globalAlpha = 1;
      }
    };
    const same2 = (one, other) => one.at === other.at && Boolean(one.more) === Boolean(other.more);
    const draw7 = () => {
      if (!shape || width2 === 0) return;
      const levels = boxes.reduce((most, box) => Math.max(most, box.level + 1), 1);
      const ratio2 = devicePixelRatio || 1;
      canvas4.width = Math.round(width2 * ratio2);
      canvas4.height = Math.round(levels * ROW2 * ratio2);
      canvas4.style.height = `${levels * ROW2}px`;
      const context = drawing(canvas4);
      context.scale(ratio2, ratio2);
      context.font = font();
      context.textBaseline = "middle";
      for (const box of boxes) drawBox(context, box);
    };
    const lead = () => {
      const line3 = above(shape, root);
      put(
        trail,
        line3.map((at2, index) => [
          index > 0 && make("span", { class: "faint", "aria-hidden": "true" }, "›"),
          index === line3.length - 1 ? make("b", {}, name(shape, at2)) : button(name(shape, at2), () => zoom2(at2), { class: "plain" })
        ])
      );
      trail.hidden = line3.length === 1;
    };
    const zoom2 = (at2, announces = true) => {
      root = at2;
      focus = { at: at2 };
      lead();
      layout();
      draw7();
      if (announces) announceFocus("Zoomed: ");
    };
    const details2 = (box) => {
      if (box.more)
        return {
          title: `${grouped(box.more)} more below ${name(shape, box.at)}`,
          rows: [["total", exact(box.bytes)]]
        };
      return describe5(shape, box.at);
    };
    const announceFocus = (first2 = "") => {
      const box = boxes.find((one) => same2(one, focus));
      if (!box) return;
      const { title, rows: rows3 } = details2(box);
      announce(
        `${first2}${title}, ${rows3.filter(([name4]) => name4 !== "exactly" && name4 !== "parent").map(([name4, value]) => name4 === "bytes" ? value : `${name4} ${value}`).join(", ")}`
      );
    };
    const at = (event) => {
      const area = canvas4.getBoundingClientRect();
      const [x3, level] = [event.clientX - area.left, Math.floor((event.clientY - area.top) / ROW2)];
      return boxes.find((box) => box.level === level && x3 >= box.x && x3 < box.x + Math.max(box.w, 1));
    };
    const point2 = (event) => {
      const box = event.type === "mouseleave" ? null : at(event);
      if (!box) hide();
      else {
        const { title, rows: rows3 } = details2(box);
        show(event.clientX, event.clientY, title, rows3);
      }
      canvas4.style.cursor = box ? "pointer" : "";
      if ((box ?? NONE) !== hover) {
        hover = box ?? NONE;
        draw7();
      }
    };
    canvas4.addEventListener("mousemove", point2);
    canvas4.addEventListener("mouseleave", point2);
    canvas4.addEventListener("click", (event) => {
      const box = at(event);
      if (!box) return;
      hide();
      zoom2(box.at === root && shape.parent[root] >= 0 ? shape.parent[root] : box.at);
    });
    const move = (key) => {
      const here = boxes.find((box) => same2(box, focus)) ?? boxes[0];
      if (!here) return;
      const level = boxes.filter((box) => box.level === here.level);
      const under = boxes.filter(
        (box) => box.level === here.level + 1 && box.x >= here.x - 0.01 && box.x < here.x + here.w
      );
      const parent = here.more ? here.at : shape.parent[here.at];
      const next2 = {
        ArrowLeft: level[level.indexOf(here) - 1],
        ArrowRight: level[level.indexOf(here) + 1],
        ArrowUp: boxes.find((box) => box.at === parent && !box.more),
        ArrowDown: under[0],
        Home: boxes[0],
        End: level[level.length - 1]
      }[key];
      focus = next2 ?? here;
      draw7();
      announceFocus();
    };
    canvas4.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !shape) return;
      const up = shape.parent[root];
      if (["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(event.key)) move(event.key);
      else if (event.key === "Enter" || event.key === " ") {
        if (focus.at >= 0) zoom2(focus.at);
      } else if ((event.key === "Backspace" || event.key === "Escape") && up >= 0) zoom2(up);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    canvas4.addEventListener("focus", () => {
      if (focus === NONE) focus = boxes[0] ?? NONE;
      draw7();
      announceFocus();
    });
    canvas4.addEventListener("blur", draw7);
    const fit3 = () => {
      const now2 = canvas4.clientWidth;
      if (now2 === width2 || now2 === 0 || !shape) return;
      width2 = now2;
      layout();
      draw7();
    };
    new ResizeObserver(fit3).observe(canvas4);
    return {
      element,
      /** Shows a tree. The zoom stays on the same node, or on its nearest ancestor in the new
       * tree. */
      show: (next2) => {
        const node = shape ? shape.node[root] : -1;
        shape = next2;
        width2 = canvas4.clientWidth;
        zoom2(node < 0 ? 0 : same(shape, node), false);
        focus = hover = NONE;
      },
      /** Returns the position of a path on the screen, for tests. */
      box: (path4) => {
        const area = canvas4.getBoundingClientRect();
        const box = boxes.find((box2) => !box2.more && path2(shape, box2.at) === path4);
        return box ? { x: area.left + box.x, y: area.top + box.level * ROW2, width: box.w, height: ROW2, bytes: shape.width[box.at] } : null;
      }
    };
  };

  // src/copy.ts
  var aligned = (rows3, right) => {
    const plain = rows3.map((row) => row.map((cell) => cell.replaceAll(" ", " ")));
    const widths2 = right.map((_, column) => Math.max(0, ...plain.map((row) => [...row[column] ?? ""].length)));
    return plain.map(
      (row) => row.map((cell, column) => {
        const padding = " ".repeat(Math.max(0, widths2[column] - [...cell].length));
        return right[column] ? padding + cell : cell + padding;
      }).join("  ").trimEnd()
    ).join("\n");
  };
  var button2 = (text) => {
    const field = make("textarea", {
      readonly: true,
      rows: 8,
      hidden: true,
      "aria-label": "The table as text",
      spellcheck: "false"
    });
    const status = make("span", { class: "faint" });
    const done = () => {
      field.hidden = true;
      status.textContent = "Copied.";
      announce("Copied");
    };
    const byHand = () => {
      status.textContent = "This frame cannot use the clipboard. The text is selected: copy it with your system's keys.";
      announce(status.textContent);
      field.select();
    };
    const run2 = () => {
      field.value = text();
      field.hidden = false;
      field.select();
      if (document.execCommand("copy")) return done();
      const write = navigator.clipboard?.writeText(field.value);
      if (write) write.then(done, byHand);
      else byHand();
    };
    return make("span", { class: "copy" }, [button("Copy as text", run2), status, field]);
  };

  // src/table.ts
  var FIRST = 200;
  var unknown2 = (value) => value === null || value === void 0 || Number.isNaN(value);
  var compare = (one, other, down) => {
    if (unknown2(one) || unknown2(other)) return Number(unknown2(one)) - Number(unknown2(other));
    const order2 = typeof one === "string" || typeof other === "string" ? String(one).localeCompare(String(other)) : Number(one) - Number(other);
    return down ? -order2 : order2;
  };
  var build10 = ({
    label: label2,
    columns: columns4,
    sort,
    order: order2,
    open,
    foot,
    pick,
    id: id2,
    mark,
    matches: matches2,
    none: none2
  }) => {
    let rows3 = [];
    let shown2 = [];
    let chosen2 = { key: "", down: false, ...sort };
    let whole2 = false;
    const opened2 = /* @__PURE__ */ new Set();
    const place3 = (column) => [column.number && "number", column.narrow && `narrow-${column.narrow}`].filter(Boolean).join(" ") || null;
    const heads = columns4.map((column) => {
      const { key } = column;
      const resort = () => {
        if (key === void 0) return;
        const same2 = chosen2.key === key;
        chosen2 = { key, down: same2 ? !chosen2.down : Boolean(column.number) };
        fill();
        announce(`Sorted by ${column.title}, ${chosen2.down ? "largest" : "smallest"} first`);
      };
      return make(
        "th",
        { scope: "col", class: place3(column), title: column.hint },
        sort && column.key ? button(column.title, resort, { class: "sort" }) : column.title
      );
    });
    const [body, end3] = [make("tbody"), make("tfoot")];
    const table2 = make("table", { class: pick ? "picks" : null }, [
      make("caption", { class: "quiet" }, label2),
      make("thead", {}, make("tr", {}, heads)),
      body,
      end3
    ]);
    const more2 = button([], () => {
      whole2 = true;
      fill();
      body.rows[FIRST]?.querySelector("button")?.focus();
    });
    const left = columns4.filter((column) => column.narrow);
    const note2 = left.length > 0 && make("p", { class: "left-out faint" }, [
      "Columns hidden at this width",
      left.map((column) => make("span", { class: `out-${column.narrow}` }, ` · ${column.title}`))
    ]);
    const turned = ([name4, ...others]) => [...others, name4];
    const text = () => {
      const cells = [
        columns4.map((column) => column.title),
        ...shown2.map((row) => columns4.map((column) => column.text(row))),
        ...footRows()
      ];
      return aligned(
        cells.map(turned),
        turned(columns4).map((column) => Boolean(column.number))
      );
    };
    const below = make("div", { class: "below" }, [more2, button2(text)]);
    const empty = make("p", { class: "empty" });
    const element = make("div", { class: "table" }, [table2, note2, below, empty]);
    const footRows = () => foot ? foot(shown2, rows3) : [];
    const line3 = (row) => {
      const toggle2 = (event) => {
        event.stopPropagation();
        const closed = opened2.delete(row);
        if (!closed) opened2.add(row);
        const button3 = event.currentTarget;
        button3.setAttribute("aria-expanded", String(!closed));
        const under = button3.closest("tr");
        if (closed) under?.nextElementSibling?.remove();
        else under?.after(inside(row));
      };
      const state = { class: "unfold", "aria-expanded": String(opened2.has(row)), "aria-label": "Call stack" };
      const unfold = open?.(row) && button([], toggle2, state);
      const cells = columns4.map(
        (column, index) => make(
          index === 0 ? "th" : "td",
          {
            scope: index === 0 ? "row" : null,
            class: index === 0 && unfold ? "hangs" : place3(column),
            title: column.exact?.(row)
          },
          [index === 0 && unfold, column.cell ? column.cell(row) : column.text(row)]
        )
      );
      const made = make(
        "tr",
        {
          id: id2?.(row),
          class: mark?.(row),
          onclick: pick && (() => {
            if (String(getSelection()) === "") pick(row);
          })
        },
        cells
      );
      return opened2.has(row) && unfold ? [made, inside(row)] : made;
    };
    const inside = (row) => make("tr", { class: "inside" }, make("td", { colspan: columns4.length }, open?.(row)));
    const fill = () => {
      const found3 = matches2 && isActive() ? rows3.filter(matches2) : rows3;
      const column = columns4.find((one) => one.key === chosen2.key);
      const limit = whole2 ? Infinity : FIRST;
      const sorted = () => sort && column ? [...found3].sort((one, other) => compare(column.value?.(one), column.value?.(other), chosen2.down)) : found3;
      shown2 = order2 ? order2(found3, chosen2, limit) : sorted().slice(0, limit);
      heads.forEach((head2, index) => {
        const on2 = sort && columns4[index].key && columns4[index].key === chosen2.key;
        if (on2) head2.setAttribute("aria-sort", chosen2.down ? "descending" : "ascending");
        else head2.removeAttribute("aria-sort");
      });
      put(body, shown2.map(line3));
      put(
        end3,
        footRows().map(
          (cells) => make(
            "tr",
            {},
            cells.map((cell, index) => make("td", { class: place3(columns4[index]) }, cell))
          )
        )
      );
      more2.hidden = found3.length <= limit;
      more2.textContent = `Show all ${grouped(found3.length)}`;
      table2.hidden = below.hidden = found3.length === 0;
      if (note2) note2.hidden = table2.hidden;
      empty.hidden = !table2.hidden;
      put(empty, prose(rows3.length === 0 ? none2 ?? "" : "No name in this table matches the search."));
    };
    return {
      element,
      /** Shows new rows in the chosen order. */
      show: (next2) => {
        rows3 = next2;
        fill();
      },
      /** Updates the marks of rows, without building the rows again. */
      remark: () => {
        let at = 0;
        for (const row of body.rows) if (!row.classList.contains("inside")) row.className = mark?.(shown2[at++]) ?? "";
      }
    };
  };
  var figures2 = (key, title, show3, { exact: exact2, absent = "unknown", ...more2 } = {}) => {
    const value = (row) => {
      const figure3 = row[key];
      return typeof figure3 === "number" && !Number.isNaN(figure3) ? figure3 : null;
    };
    const format = (row, formatted) => {
      const figure3 = value(row);
      return figure3 === null ? null : formatted(figure3);
    };
    return {
      key,
      title,
      number: true,
      ...more2,
      value,
      text: (row) => format(row, show3) ?? absent,
      exact: exact2 && ((row) => format(row, exact2))
    };
  };
  var bytes4 = (key, title, more2 = {}) => figures2(key, title, bytes, { exact, ...more2 });
  var NONE2 = "–";
  var estimate2 = (key, title, more2 = {}) => ({
    key,
    title,
    number: true,
    ...more2,
    text: ({ [key]: one }) => one ? estimate(one) : NONE2,
    value: ({ [key]: one }) => one?.value ?? null,
    exact: ({ [key]: one }) => one && `${estimate(one, exact)}, from ${grouped(one.samples)} samples`
  });
  var textColumn = (key, title, more2, text) => ({ key, title, ...more2, value: text, text });
  var names2 = (key, title, frames) => ({
    ...textColumn(
      key,
      title,
      {},
      (row) => frames(row).map((name4) => name4 || "(no name)").join(";")
    ),
    exact: (row) => frames(row).join(" › "),
    cell: (row) => path(frames(row))
  });

  // src/difference.ts
  var NONE3 = "–";
  var change2 = ({ before, after }) => (after ?? 0) - (before ?? 0);
  var isDoubtful2 = ({ before, after, boundsBefore, boundsAfter }) => isDoubtful(before ?? 0, after ?? 0, boundsBefore, boundsAfter);
  var kind2 = (row) => {
    if (isDoubtful2(row)) return "unknown";
    if (row.before === null || row.after === null) return row.before === null ? "new" : "gone";
    return row.after > row.before ? "grown" : "shrunk";
  };
  var changeText = (row, format = change) => isDoubtful2(row) ? "unknown" : format(change2(row));
  var amountText = (bytes5, bounds) => bytes5 === null ? NONE3 : bounded(bytes5, bounds);
  var growth = (row) => {
    const { before, after } = row;
    if (before === null || after === null || isDoubtful2(row) || !(before > 0)) return NONE3;
    if (after >= 10 * before) return `×${grouped(Math.round(after / before))}`;
    return `${after > before ? "+" : after < before ? "−" : "±"}${percent(Math.abs(after - before), before)}`;
  };
  var amounts2 = ({ before, after }, at, extent2) => {
    const isOwn = extent2 === "own";
    const bytes5 = (side2) => side2.at[at] < 0 ? null : (isOwn ? side2.own : side2.bytes)[at];
    const bounds = (side2) => (isOwn ? side2.bounds : side2.boundsBelow)[at];
    return { before: bytes5(before), after: bytes5(after), boundsBefore: bounds(before), boundsAfter: bounds(after) };
  };
  var paint2 = (shape, at) => {
    const row = amounts2(shape, at, "below");
    const [before, after] = [row.before ?? 0, row.after ?? 0];
    const larger = Math.max(before, after);
    if (!(larger > 0) || before === after || isDoubtful2(row)) return { color: "--same", strength: 1, hatched: 0 };
    const part2 = Math.abs(after - before) / larger;
    return {
      color: after > before ? "--grown" : "--shrunk",
      strength: 0.16 + 0.34 * part2,
      hatched: after < before ? part2 : 0
    };
  };
  var describe3 = (shape, at) => {
    const row = amounts2(shape, at, "below");
    return {
      title: path2(shape, at).replaceAll(";", " › "),
      rows: [
        ["change", changeText(row)],
        ["exactly", changeText(row, exact)],
        ["before", row.before === null ? "absent" : bounded(row.before, row.boundsBefore)],
        ["after", row.after === null ? "absent" : bounded(row.after, row.boundsAfter)],
        ["growth", growth(row)]
      ]
    };
  };
  var sum = (rows3) => {
    const all2 = { before: 0, after: 0, boundsBefore: 0, boundsAfter: 0 };
    for (const row of rows3) {
      all2.before += row.before ?? 0;
      all2.after += row.after ?? 0;
      all2.boundsBefore |= row.boundsBefore;
      all2.boundsAfter |= row.boundsAfter;
    }
    return all2;
  };
  var columns = (shape) => {
    const of3 = (at) => amounts2(shape(), at, "own");
    const amount2 = (key, bounds) => ({
      key,
      title: key,
      number: true,
      narrow: 1,
      value: (at) => of3(at)[key],
      text: (at) => amountText(of3(at)[key], of3(at)[bounds]),
      exact: (at) => exact(of3(at)[key])
    });
    const before = amount2("before", "boundsBefore");
    return [
      names2("path", "path", (at) => above(shape(), at).map((one) => name(shape(), one))),
      {
        key: "change",
        title: "change",
        number: true,
        text: (at) => changeText(of3(at)),
        exact: (at) => changeText(of3(at), exact),
        value: (at) => Math.abs(change2(of3(at)))
      },
      { ...before, cell: (at) => [before.text(at), make("span", { class: "faint" }, " →")] },
      amount2("after", "boundsAfter"),
      {
        key: "growth",
        title: "growth",
        number: true,
        narrow: 1,
        text: (at) => growth(of3(at)),
        value: (at) => {
          const { before: before2, after } = of3(at);
          return before2 !== null && before2 > 0 ? (after ?? 0) / before2 : null;
        }
      },
      {
        ...textColumn("kind", "kind", {}, (at) => kind2(of3(at))),
        cell: (at) => make("span", { class: `kind ${kind2(of3(at))}` }, kind2(of3(at)))
      }
    ];
  };
  var build11 = (data7, element) => {
    const trees = data7.snapshots.filter((snapshot2) => snapshot2.hasTree).length;
    if (trees < 2) {
      put(
        element,
        make(
          "p",
          { class: "empty" },
          prose(
            trees === 0 ? "No snapshot in this page has a tree, so there is nothing to compare." : data7.began === null ? "This page has one profile, so there is nothing to compare. To compare two files, run `memprof diff BEFORE AFTER`." : 'Only one snapshot in this page has a tree, and a comparison needs two. A session takes a snapshot every few seconds and at each call of `session.checkpoint("name")`.'
          )
        )
      );
      return { keys: [], draw: () => void 0, found: () => 0 };
    }
    const [before, after] = [build3(data7, "Before", "before"), build3(data7, "After", "shown")];
    const details2 = make("input", { type: "checkbox", onchange: () => draw7() });
    const swap = button("⇄ Swap", () => {
      set({ before: after.draw(), shown: before.draw() });
      announce("Swapped before and after");
    });
    const verdict2 = make("p", { class: "verdict" });
    const legend2 = make(
      "p",
      { class: "colors" },
      [
        ["grown", "grown"],
        ["shrunk", "shrunk; the freed part is hatched"],
        ["same", "unchanged or unknown"]
      ].map(([name4, text]) => make("span", {}, [make("span", { class: `swatch ${name4}`, "aria-hidden": "true" }), text]))
    );
    const icicle = build9({
      label: "Changes between the two snapshots; each width is the larger of the two amounts",
      paint: paint2,
      describe: describe3
    });
    let all2 = { before: 0, after: 0, boundsBefore: 0, boundsAfter: 0 };
    let found3 = null;
    const table2 = build10({
      label: "Changes by path",
      columns: columns(() => merged().shape),
      sort: { key: "change", down: true },
      matches: (at) => found3?.within[at] === 1,
      none: "No path changed.",
      foot: (shown2, rows3) => {
        const listed = new Set(shown2);
        const rest = rows3.filter((at) => !listed.has(at));
        const { shape } = merged();
        const cells = (name4, row) => [
          name4,
          changeText(row),
          amountText(row.before, row.boundsBefore),
          amountText(row.after, row.boundsAfter),
          growth(row),
          ""
        ];
        const others = sum(rest.map((at) => amounts2(shape, at, "own")));
        return [...rest.length > 0 ? [cells(`…${grouped(rest.length)} more`, others)] : [], cells("total", all2)];
      }
    });
    put(
      element,
      make("div", { class: "heading" }, [
        before.element,
        after.element,
        swap,
        make("label", { title: "Show the kinds of bytes: [data], [spare], [table] …" }, [details2, "details"])
      ]),
      verdict2,
      legend2,
      icicle.element,
      table2.element
    );
    const view3 = () => {
      const pair = [before.draw(), after.draw()];
      const forms = pair.map((index) => of(data7.tree(index) ?? NO_TREE, { details: details2.checked }));
      const shape = merge(forms[0], forms[1]);
      return { pair, forms, shape, rows: changes(shape) };
    };
    let cache2 = null;
    const merged = () => {
      const key = `${[before.draw(), after.draw()]} ${details2.checked}`;
      if (cache2?.key !== key) cache2 = { key, ...view3() };
      return cache2;
    };
    const draw7 = () => {
      const { pair, forms, shape, rows: rows3 } = merged();
      const [boundsBefore, boundsAfter] = forms.map(({ boundsBelow }) => boundsBelow[0] ?? 0);
      all2 = { before: forms[0].total, after: forms[1].total, boundsBefore, boundsAfter };
      const kinds = { new: 0, gone: 0, grown: 0, shrunk: 0, unknown: 0 };
      for (const at of rows3) kinds[kind2(amounts2(shape, at, "own"))] += 1;
      const counts = Object.entries(kinds).filter(([, count]) => count > 0);
      found3 = isActive() ? search(shape, now.find) : null;
      const [was, is2] = pair.map((index) => data7.tree(index)?.verdict ?? "unknown");
      put(
        verdict2,
        make("b", { title: changeText(all2, exact) }, changeText(all2)),
        ` (${growth(all2)}): ${amountText(all2.before, boundsBefore)} → ${amountText(all2.after, boundsAfter)} · `,
        pair[0] === pair[1] ? "before and after are the same snapshot: choose another one" : rows3.length === 0 ? "no path changed" : `${grouped(rows3.length)} ${rows3.length === 1 ? "path" : "paths"} changed: ${counts.map(([one, count]) => `${grouped(count)} ${one}`).join(", ")}`,
        ` · ${was === is2 ? `${was} before and after` : `before ${was}, after ${is2}`}`,
        data7.snapshots[pair[0]].at > data7.snapshots[pair[1]].at && make("b", { class: "warn" }, " · “before” is later than “after”")
      );
      icicle.show(shape);
      table2.show(rows3);
    };
    return {
      keys: ["units", "theme", "shown", "before", "find"],
      draw: draw7,
      icicle,
      // The comparison is computed only after the user opens the pane.
      found: () => {
        if (now.pane !== "difference") return 0;
        const { shape, rows: rows3 } = merged();
        const { within: within3 } = search(shape, now.find);
        return rows3.filter((at) => within3[at]).length;
      }
    };
  };

  // src/operations.ts
  var operations_exports = {};
  __export(operations_exports, {
    build: () => build12
  });
  var DEEPEST = 16;
  var UNKNOWN = {
    where: "",
    calls: null,
    total: null,
    average: null,
    max: null,
    timeNs: null,
    allocated: null,
    peak: null,
    retained: null
  };
  var within = (data7, from, to) => {
    const { count, path: path4, start, duration, delta } = data7.calls;
    const paths2 = data7.paths.length;
    const [calls2, total2, max, time3, longest] = [0, 0, -Infinity, 0, -1].map(
      (value) => new Float64Array(paths2).fill(value)
    );
    for (let call = 0; call < count; call += 1) {
      const end3 = start[call] + duration[call];
      if (!(end3 >= from && end3 <= to)) continue;
      const of3 = path4[call];
      calls2[of3] += 1;
      total2[of3] += delta[call];
      time3[of3] += duration[call];
      if (delta[call] > max[of3]) max[of3] = delta[call];
      if (longest[of3] < 0 || duration[call] > duration[longest[of3]]) longest[of3] = call;
    }
    return { calls: calls2, total: total2, max, time: time3, longest };
  };
  var rowsOfRange = (data7, sums) => data7.paths.flatMap(
    (path4, of3) => sums.calls[of3] === 0 ? [] : [
      {
        ...UNKNOWN,
        path: path4.whole,
        where: path4.where,
        calls: sums.calls[of3],
        total: sums.total[of3],
        average: sums.total[of3] / sums.calls[of3],
        max: sums.max[of3],
        timeNs: sums.time[of3]
      }
    ]
  );
  var asTree = (rows3, chosen2, rowsByPath) => {
    const nodes2 = /* @__PURE__ */ new Map();
    const roots3 = [];
    const place3 = (path4) => {
      let node = nodes2.get(path4);
      if (node) return node;
      const cut2 = path4.lastIndexOf(";");
      node = { row: rowsByPath.get(path4) ?? { ...UNKNOWN, path: path4, bare: true }, below: [] };
      nodes2.set(path4, node);
      (cut2 < 0 ? roots3 : place3(path4.slice(0, cut2)).below).push(node);
      return node;
    };
    for (const row of rows3) place3(row.path);
    const value = (node) => chosen2.key === "path" ? node.row.path : node.row.total ?? Math.max(...node.below.map((one) => Number(value(one))));
    const list = [];
    const walk = (siblings, depth) => {
      const keyed = siblings.map((node) => ({ key: value(node), node }));
      keyed.sort(
        (one, other) => compare(one.key, other.key, chosen2.down) || (other.node.row.allocated ?? 0) - (one.node.row.allocated ?? 0)
      );
      for (const { node } of keyed) {
        list.push(Object.assign(node.row, { depth }));
        walk(node.below, depth + 1);
      }
    };
    walk(roots3, 0);
    return list;
  };
  var name3 = (row, index) => {
    const names3 = row.path.split(";");
    const swatch = make("span", {
      class: "swatch",
      "aria-hidden": "true",
      style: index === void 0 ? {} : { background: operation2(index) }
    });
    const text = [swatch, path(row.depth === null ? names3 : names3.slice(-1))];
    return make(
      "span",
      { class: "line", style: { "padding-left": `${Math.min(row.depth ?? 0, DEEPEST) * 14}px` } },
      row.bare ? text : button(text, () => void 0, { class: "plain" })
    );
  };
  var columns2 = (index) => {
    const amount2 = (key, show3, hint, narrow) => {
      const column = bytes4(key, key, { hint, narrow });
      const figures3 = figures2(key, key, show3, { hint, narrow });
      return { ...figures3, text: (row) => row.bare ? "" : figures3.text(row), exact: column.exact };
    };
    const all2 = [
      {
        ...names2("path", "operation", (row) => row.path.split(";")),
        cell: (row) => name3(row, index.get(row.path)),
        text: (row) => typeof row.depth === "number" ? "  ".repeat(row.depth) + row.path.split(";").pop() : row.path,
        exact: (row) => [row.path.replaceAll(";", " › "), row.where].filter(Boolean).join("\n")
      },
      { ...amount2("calls", grouped, "Number of calls that ended"), exact: null },
      amount2("total", change, "Net bytes of all calls, each counted on its own thread: allocated minus freed"),
      amount2("average", change, "Average net bytes of a call", 1),
      amount2("max", change, "Largest net bytes of a call", 2),
      amount2("peak", bytes, "Peak of live bytes during a call, beyond those live at its start", 1),
      amount2("allocated", bytes, "Bytes that all calls allocated", 2),
      {
        ...amount2("timeNs", span, "Total duration of all calls", 1),
        title: "time",
        exact: (row) => row.timeNs !== null && row.timeNs > 0 ? moment(row.timeNs) : null
      },
      {
        ...estimate2("retained", "retained", {
          narrow: 2,
          hint: "Live bytes that the operation allocated itself: an estimate from samples"
        }),
        text: (row) => row.bare ? "" : estimate(row.retained)
      }
    ];
    return all2;
  };
  var table = (data7, keys, index, pick, rowsByPath, none2) => {
    const all2 = columns2(index);
    const order2 = (rows3, chosen2, limit) => {
      const column = all2.find((one) => one.key === chosen2.key);
      const top = [...rows3].sort((one, other) => compare(column?.value?.(one), column?.value?.(other), chosen2.down)).slice(0, limit);
      if (chosen2.key === "path" || chosen2.key === "total") return asTree(top, chosen2, rowsByPath());
      for (const row of top) row.depth = null;
      return top;
    };
    const current = (row) => now.call >= 0 && index.get(row.path) === data7.calls.path[now.call] ? "current" : null;
    return build10({
      label: "Operations",
      columns: keys.flatMap((key) => all2.filter((column) => column.key === key)),
      sort: { key: "total", down: true },
      order: order2,
      pick,
      mark: current,
      matches: (row) => has(row.path),
      none: none2
    });
  };
  var frameworks = () => build10({
    label: "Operations of frameworks",
    sort: { key: "cpuNs", down: true },
    matches: (row) => has(row.name),
    columns: [
      names2("name", "framework operation", (row) => [row.name]),
      figures2("calls", "calls", grouped),
      figures2("cpuNs", "CPU time", span),
      figures2("deviceNs", "device time", span, { narrow: 1 }),
      bytes4("cpuBytes", "CPU memory", { narrow: 1 }),
      bytes4("deviceBytes", "device memory", { narrow: 2 }),
      textColumn("shapes", "shapes", { narrow: 2 }, (row) => row.shapes ?? "unknown")
    ]
  });
  var build12 = (data7, element) => {
    const index = new Map(data7.paths.map((path4, at) => [path4.whole, at]));
    let sums = null;
    let everything = null;
    let rowsInRange = /* @__PURE__ */ new Map();
    const pick = (row) => {
      if (row.bare) return;
      sums ??= everything ??= within(data7, -Infinity, Infinity);
      const of4 = index.get(row.path);
      const call = of4 === void 0 ? -1 : sums.longest[of4];
      if (call < 0) {
        about3.textContent = `The page has no calls of ${row.path.replaceAll(";", " › ")}.`;
        announce(about3.textContent);
        return;
      }
      const { start, duration, delta } = data7.calls;
      const margin = Math.max(duration[call] * 0.5, 500);
      set({
        call,
        from: Math.max(0, start[call] - margin),
        to: Math.min(data7.end, start[call] + duration[call] + margin)
      });
      announce(
        `The longest call of ${row.path}: ${span(duration[call])}, ${change(delta[call])}, at ${moment(start[call])}`
      );
    };
    const missing = ["timeNs", "retained"].filter((key) => data7.operations.every((row) => row[key] === null));
    const keys = ["path", "calls", "total", "average", "max", "peak", "allocated", "timeNs", "retained"].filter(
      (key) => !missing.some((one) => one === key)
    );
    const everyRow = new Map(data7.operations.map((row) => [row.path, row]));
    const none2 = data7.began === null ? "A profile has no operations. A session records them." : data7.calls.count > 0 || data7.tracked && !data7.summedUp ? `Unknown: the file ends before the totals of all calls were written.${data7.calls.count > 0 ? " To see the totals of the calls in a range, select one, for example with the key R." : ""}` : data7.tracked ? "No call of an operation has ended yet." : 'Unknown: operations were not counted. To count them, use memprof\'s allocator and name parts of the program with `memprof::operation!("name")`.';
    const whole2 = table(data7, keys, index, pick, () => everyRow, none2);
    const part2 = table(
      data7,
      ["path", "calls", "total", "average", "max", "timeNs"],
      index,
      pick,
      () => rowsInRange,
      "No call in this page ended in this range."
    );
    const about3 = make("p", { class: "faint" });
    const clear = button("All calls", () => set({ range: null }));
    const of3 = data7.frameworks.length > 0 ? frameworks() : null;
    put(
      element,
      make("div", { class: "heading" }, [about3, clear]),
      whole2.element,
      part2.element,
      of3 && [make("h3", {}, "Reported by frameworks"), of3.element]
    );
    const draw7 = () => {
      const { range } = now;
      whole2.element.hidden = range !== null;
      part2.element.hidden = clear.hidden = range === null;
      if (range) {
        sums = within(data7, range.from, range.to);
        const rows3 = rowsOfRange(data7, sums);
        const count = rows3.reduce((sum2, row) => sum2 + (row.calls ?? 0), 0);
        about3.textContent = `Totals of ${count === 1 ? "the 1 call" : `the ${grouped(count)} calls`} in this page that ended from ${span(range.from)} to ${span(range.to)}. Calls that the session or the page left out are not counted. Peak, allocated and retained are known only for all calls together.`;
        rowsInRange = new Map(rows3.map((row) => [row.path, row]));
        part2.show(rows3);
      } else {
        sums = everything;
        about3.textContent = data7.operations.length === 0 ? "" : [
          "Exact counts of all calls. Choose an operation to see its longest call.",
          missing.includes("timeNs") && "Durations are unknown: the calls were not timed.",
          missing.includes("retained") && "Retained bytes are unknown: no samples were taken."
        ].filter(Boolean).join(" ");
        whole2.show(data7.operations);
      }
      of3?.show(data7.frameworks);
    };
    on(["call"], () => (now.range ? part2 : whole2).remark());
    return {
      keys: ["units", "theme", "range", "find"],
      draw: draw7,
      found: () => data7.operations.filter((row) => has(row.path)).length + data7.frameworks.filter((row) => has(row.name)).length
    };
  };

  // src/places.ts
  var places_exports = {};
  __export(places_exports, {
    build: () => build13
  });
  var UNKNOWN_TYPE = "of unknown type";
  var pace = (bytes5) => bytes5 !== 0 && Math.abs(bytes5) < 1 ? `${bytes5 > 0 ? "+" : "−"}${Math.abs(bytes5).toFixed(2)} B` : change(bytes5);
  var OUTSIDE = "outside operations";
  var within2 = (names3) => names3.length > 0 ? names3.join(" › ") : OUTSIDE;
  var ms = (amount2) => amount2 < 1 ? "less than 1 ms" : span(amount2 * 1e6);
  var place2 = () => ({
    ...textColumn("place", "call site", {}, (row) => row.place),
    exact: (row) => row.place,
    cell: (row) => make("span", { class: "name" }, marked(shortPlace(row.place)))
  });
  var operation3 = (narrow = 1) => textColumn("operation", "operation", { narrow }, (row) => within2(row.operation));
  var roots2 = (narrow) => textColumn("roots", "roots", { narrow }, (row) => row.roots.join(", ") || NONE2);
  var share = (of3, whole2) => ({
    key: "share",
    title: "share",
    number: true,
    text: (row) => percent(of3(row), whole2),
    value: of3
  });
  var interval = ([low, high]) => `${bytes(low)} to ${bytes(high)}`;
  var growth2 = {
    key: "growth",
    title: "growth per second",
    number: true,
    hint: "In 95 of 100 cases, the true growth is within the interval. Call sites with a doubt may not keep growing.",
    // Call sites with a doubt come after those without.
    value: ({ growth: growth3 }) => growth3 && growth3.bytesPerSecond - (growth3.doubt === null ? 0 : Number.MAX_SAFE_INTEGER),
    text: ({ growth: growth3 }) => growth3 ? pace(growth3.bytesPerSecond) + (growth3.doubt ? `, ${growth3.doubt}` : "") : NONE2,
    cell: ({ growth: growth3 }) => {
      if (!growth3) return NONE2;
      return [
        growth3.doubt === null ? make("b", { class: "grown" }, pace(growth3.bytesPerSecond)) : pace(growth3.bytesPerSecond),
        make("small", { class: "faint" }, growth3.doubt ?? interval(growth3.interval))
      ];
    },
    exact: ({ growth: growth3 }) => growth3 && `95 % interval: ${interval(growth3.interval)} per second`
  };
  var lifetime = {
    key: "lifetime",
    title: "lifetime",
    hint: "How long blocks lived until they were freed, averaged over bytes: a large block counts for more than a small one. A reallocation counts as a free. Live blocks are not included.",
    number: true,
    narrow: 2,
    value: ({ lifetime: lifetime2 }) => lifetime2?.meanMs,
    text: ({ lifetime: lifetime2 }) => lifetime2 ? ms(lifetime2.meanMs) : NONE2,
    exact: ({ lifetime: lifetime2 }) => {
      if (!lifetime2) return "No sampled block was freed.";
      const { samples, intervalMs } = lifetime2;
      const range = intervalMs && `, 95 % interval ${intervalMs.map(ms).join(" to ")}`;
      return `from ${counted(samples, "freed block")} among the samples${range ?? ""}`;
    }
  };
  var columns3 = (sites, isUnread) => {
    const unexplained2 = isUnread ? "Live bytes at the end that no visited value reaches. A root was visited only in part." : "Live bytes at the end that no root reaches";
    const all2 = [
      growth2,
      estimate2("peak", "at the peak", { hint: "Live bytes at the peak", narrow: 1 }),
      estimate2("live", "live", { hint: "Live bytes at the end" }),
      estimate2("unexplained", "unexplained", { hint: unexplained2, narrow: 2 }),
      estimate2("allocated", "allocated", { hint: "Bytes allocated in total", narrow: 2 }),
      lifetime,
      roots2(2),
      operation3(2)
    ];
    const isKnown = ({ text }) => sites.some((site) => ![NONE2, OUTSIDE].includes(text(site)));
    return [place2(), ...all2.filter(isKnown)];
  };
  var about2 = ({ growth: growth3, blocks }) => [
    ...growth3?.heldBy ?? [],
    ...growth3?.freedAtEnd ? ["The program freed more than half of it before the recording ended."] : [],
    ...growth3 && growth3.bytesPerCall !== null ? [`It grows by ${pace(growth3.bytesPerCall)} per call.`] : [],
    ...blocks ? [`Live blocks: ${estimate(blocks, (count) => grouped(Math.round(count ?? 0)))}.`] : []
  ];
  var details = (site) => make("div", {}, [
    ...about2(site).map((text) => make("p", { class: "faint" }, marked(text))),
    site.stack.length > 0 && make(
      "ol",
      { class: "stack" },
      site.stack.map((frame2) => make("li", {}, marked(frame2 || "(no name)")))
    )
  ]);
  var notes = ({ atPeak, otherSites }) => {
    const peak2 = atPeak && percent(atPeak.live, atPeak.bytes);
    const rest = atPeak && atPeak.more > 0 && `${counted(atPeak.more, "more call site")}: ${estimate(atPeak.other)}.`;
    return [
      "Stacks with the same line of your code are one call site.",
      atPeak && `At the peak: the stacks recorded at ${span(atPeak.at)}, which account for ${peak2} of the peak.`,
      rest,
      otherSites && `Live bytes of call sites that are not listed: ${estimate(otherSites)}.`
    ].filter(Boolean).join(" ");
  };
  var pinnedMemory = ({ at, free, trimmable }) => `${estimate(free)} is free but pinned by live blocks, at ${span(at)}; trimming returns at most ${bytes(trimmable)}.`;
  var part = (rows3, title, sentences2, words, more2, id2) => {
    const matches2 = (row) => has(words(row).join(" "));
    const table2 = build10({ label: title, matches: matches2, ...more2 });
    const note2 = make("p", { class: "faint" });
    return {
      // The page moves the focus to a section that has an id.
      element: make("section", {}, [make("h3", { id: id2, tabindex: id2 && -1 }, title), note2, table2.element]),
      show: () => {
        note2.textContent = sentences2();
        table2.show(rows3);
      },
      found: () => rows3.filter(matches2).length
    };
  };
  var parts = (data7) => {
    const { sites, atPeak, pinned: pinned2, claimedTwice, largestBlocks } = data7;
    const isUnread = data7.snapshots.at(-1)?.rootsAtLeast ?? false;
    const all2 = columns3(sites, isUnread);
    const first2 = all2.find(({ number }) => number)?.key ?? "place";
    const made = [
      sites.length > 0 && part(
        sites,
        "Call sites",
        () => notes(data7),
        (site) => [
          site.place,
          ...site.operation,
          ...site.roots,
          site.growth?.doubt ?? "",
          ...about2(site),
          ...site.stack
        ],
        {
          columns: all2,
          sort: { key: first2, down: true },
          open: (site) => about2(site).length + site.stack.length > 0 ? details(site) : null,
          id: (site) => `site-${sites.indexOf(site)}`
        }
      ),
      atPeak !== null && atPeak.types.length > 0 && part(
        atPeak.types,
        "By type",
        () => "Live bytes at the peak, by the type of their values.",
        ({ name: name4 }) => [name4 ?? UNKNOWN_TYPE],
        {
          columns: [
            names2("name", "type", ({ name: name4 }) => [name4 ?? UNKNOWN_TYPE]),
            estimate2("live", "live"),
            share(({ live }) => live.value, Math.max(atPeak.sampled.value, atPeak.live))
          ],
          sort: { key: "live", down: true }
        }
      ),
      pinned2 !== null && part(
        pinned2.sites,
        "Pinned memory",
        () => pinnedMemory(pinned2),
        (site) => [site.place, ...site.operation, ...site.roots],
        {
          columns: [
            { ...place2(), title: "blocks of" },
            share(({ free }) => free.value, pinned2.free.value),
            {
              key: "returned",
              title: "freeing returns",
              hint: "The bytes that the system gets back if the blocks are freed and the allocator is then trimmed. Pages with blocks of other call sites may stay resident.",
              number: true,
              text: ({ returned }) => interval(returned),
              value: ({ returned }) => returned[0]
            },
            roots2(1),
            operation3(2)
          ],
          sort: { key: "share", down: true }
        },
        "pinned"
      ),
      claimedTwice.length > 0 && part(
        claimedTwice,
        "Claimed by two roots",
        () => "Blocks that both roots reach. Their bytes count in both.",
        ({ roots: roots3 }) => roots3,
        {
          columns: [
            textColumn("roots", "roots", {}, ({ roots: roots3 }) => roots3.join(" and ")),
            estimate2("live", "live")
          ],
          sort: { key: "live", down: true }
        }
      ),
      largestBlocks.length > 0 && part(
        largestBlocks,
        "Largest blocks",
        () => "The largest sampled blocks that are live at the end.",
        (block) => [block.place, ...block.operation],
        {
          columns: [
            place2(),
            operation3(),
            bytes4("bytes", "bytes"),
            figures2("ageNs", "age", span, { narrow: 1 })
          ],
          sort: { key: "bytes", down: true }
        }
      )
    ];
    return made.filter((one) => one !== false);
  };
  var reason2 = (data7) => {
    const isCounted = data7.snapshots.some(({ live }) => live !== null);
    const isSampled = data7.snapshots.some(({ explained: explained2 }) => explained2 !== null) || data7.operations.some(({ retained }) => retained !== null);
    if (data7.began === null) return "A profile has no call sites. A session that samples the heap records them.";
    if (isCounted && !data7.summedUp) return "Call sites and leaks are unknown: the file ends before they were written.";
    if (isSampled) return "No sampled block is live.";
    return isCounted ? "Call sites and leaks are unknown: no samples were taken. To sample the heap, set `.level(memprof::heap::Level::Sampled)`, or `MEMPROF_LEVEL=sampled` in the environment." : "Call sites and leaks are unknown: the heap was not counted. To count it, add `#[global_allocator] static ALLOC: memprof::Allocator = memprof::Allocator::system();` to the program and sample the heap.";
  };
  var build13 = (data7, element) => {
    const all2 = parts(data7);
    const found3 = verdict(data7);
    put(
      element,
      (all2.length > 0 || data7.leaksUnknown === null) && found3 && make("p", {}, found3),
      all2.length === 0 ? make("p", { class: "empty" }, prose(reason2(data7))) : all2.map((one) => one.element)
    );
    return {
      keys: ["units", "find"],
      draw: () => {
        for (const one of all2) one.show();
      },
      found: () => all2.reduce((sum2, one) => sum2 + one.found(), 0)
    };
  };

  // src/tree.ts
  var tree_exports = {};
  __export(tree_exports, {
    build: () => build15
  });

  // src/tree_table.ts
  var ROW_HEIGHT = 28;
  var VISIBLE_ROWS = 28;
  var EXTRA_ROWS = 12;
  var PRINTED_ROWS = 2e3;
  var MIN_CHILDREN = 8;
  var MIN_SHARE = 5e-3;
  var BATCH = 500;
  var build14 = (label2) => {
    const open = /* @__PURE__ */ new Set();
    const full = /* @__PURE__ */ new Map();
    let shape = of(NO_TREE);
    let isFirst = true;
    let total2 = 0;
    let find = null;
    let lines2 = [];
    let focus = 0;
    let printing = false;
    const heads = [
      ["name", null],
      ["bytes", "number"],
      ["share", "number"],
      ["allocations", "number narrow-1"]
    ];
    const body = make("tbody");
    const table2 = make("table", { role: "treegrid", "aria-label": label2 }, [
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          heads.map(([title, kind3]) => make("th", { scope: "col", class: kind3 }, title))
        )
      ),
      body
    ]);
    const box = make("div", { class: "rows" }, table2);
    const out = make("p", { class: "left-out faint" }, [
      "Columns hidden at this width",
      make("span", { class: "out-1" }, " · allocations")
    ]);
    const element = make("div", { class: "table tree-table" }, [
      box,
      out,
      make(
        "div",
        { class: "below" },
        button2(() => {
          const rows3 = [
            { level: 0, text: heads.map(([title]) => title) },
            ...lines2.map((line3) => ({ level: line3.level, text: cells(line3) }))
          ];
          const turned = rows3.map(({ level, text: [name4, ...figures3] }) => [...figures3, "  ".repeat(level) + name4]);
          return aligned(turned, [true, true, true, false]);
        })
      )
    ]);
    const isOpen = (at) => open.has(shape.node[at]);
    const listed = (at) => {
      const below = children(shape, at);
      const limit = full.get(shape.node[at]) ?? 0;
      let shown2 = 0;
      while (shown2 < below.length && (shown2 < Math.max(MIN_CHILDREN, limit) || shape.bytes[below[shown2]] >= total2 * MIN_SHARE && shown2 < BATCH))
        shown2 += 1;
      if (below.length - shown2 === 1) shown2 += 1;
      const rest = Array.from(below.subarray(shown2));
      const kept = new Set(
        rest.filter((one) => kind(shape, one) === UNEXPLAINED || find?.hit[one] || find?.opens[one]).slice(0, BATCH)
      );
      return {
        shown: [...below.subarray(0, shown2), ...kept],
        hidden: kept.size > 0 ? rest.filter((one) => !kept.has(one)) : rest
      };
    };
    const unfold = () => {
      lines2 = [];
      const walk = (at, level) => {
        lines2.push({ at, level, hidden: null });
        if (!isOpen(at)) return;
        const { shown: shown2, hidden: hidden2 } = listed(at);
        for (const one of shown2) walk(one, level + 1);
        if (hidden2.length > 0) lines2.push({ at, level: level + 1, hidden: hidden2 });
      };
      if (shape.count > 0) walk(0, 0);
      focus = Math.min(focus, Math.max(0, lines2.length - 1));
    };
    const sum2 = (column, list) => {
      let all2 = 0;
      for (const one of list) all2 += column[one];
      return all2;
    };
    const cells = ({ at, hidden: hidden2 }) => {
      const bytes5 = hidden2 ? sum2(shape.bytes, hidden2) : shape.bytes[at];
      const bounds = hidden2 ? hidden2.reduce((all2, one) => all2 | shape.boundsBelow[one], 0) : shape.boundsBelow[at];
      const allocations = hidden2 ? sum2(shape.allocations, hidden2) : shape.allocations[at];
      return [
        hidden2 ? `…${grouped(hidden2.length)} more` : name(shape, at),
        bounded(bytes5, bounds),
        percent(bytes5, total2),
        Number.isNaN(allocations) ? "unknown" : grouped(allocations)
      ];
    };
    const hint = (at) => {
      const kind3 = kind(shape, at);
      if (kind3 === SITE) return "A call site: its bytes are an estimate from samples.";
      if (kind3 === UNEXPLAINED)
        return "Bytes in use that no root explains, for example values that are not registered with session.root.";
      return kind3 === OTHERS ? "The sum of all names that are too small to list." : null;
    };
    const row = (line3, index) => {
      const { at, level, hidden: hidden2 } = line3;
      const [name4, bytes5, share2, allocations] = cells(line3);
      const unfolds = !hidden2 && childCount(shape, at) > 0;
      const exact2 = exact(hidden2 ? sum2(shape.bytes, hidden2) : shape.bytes[at]);
      const part2 = total2 > 0 ? Math.max(0, (hidden2 ? sum2(shape.bytes, hidden2) : shape.bytes[at]) / total2) : 0;
      const kind3 = hidden2 ? null : kind(shape, at) === UNEXPLAINED ? "unexplained" : null;
      return make(
        "tr",
        {
          class: kind3,
          "aria-level": level + 1,
          "aria-rowindex": index + 2,
          tabindex: index === focus ? 0 : -1,
          "aria-expanded": unfolds ? String(isOpen(at)) : hidden2 ? "false" : null,
          onclick: () => {
            focus = index;
            toggle2(true);
          },
          title: hidden2 ? "Select this row to list them" : hint(at)
        },
        [
          make(
            "td",
            { role: "rowheader" },
            make("span", { class: "name", style: { "padding-left": `${Math.min(level, 24) * 14}px` } }, [
              make("span", { class: "twist" }),
              make(
                "span",
                { class: hidden2 ? "cut faint" : "cut", title: hidden2 || hint(at) ? null : path2(shape, at) },
                hidden2 ? name4 : marked(name4)
              )
            ])
          ),
          make("td", { class: "number", title: exact2 }, bytes5),
          make("td", { class: "number share", title: exact2, style: { "--part": part2 } }, share2),
          make("td", { class: "number narrow-1" }, allocations)
        ]
      );
    };
    const gap = (rows3) => rows3 > 0 ? make(
      "tr",
      { class: "gap", "aria-hidden": "true" },
      make("td", { colspan: heads.length, style: { height: `${rows3 * ROW_HEIGHT}px` } })
    ) : null;
    let drawn = [-1, -1];
    const draw7 = (anew2 = true) => {
      const from = printing ? 0 : Math.max(0, Math.floor(box.scrollTop / ROW_HEIGHT) - EXTRA_ROWS);
      const to = printing ? Math.min(lines2.length, PRINTED_ROWS) : Math.min(lines2.length, from + VISIBLE_ROWS + 2 * EXTRA_ROWS);
      if (!anew2 && drawn[0] === from && drawn[1] === to) return;
      const focused = body.contains(document.activeElement);
      drawn = [from, to];
      put(
        body,
        gap(from),
        lines2.slice(from, to).map((line3, index) => row(line3, from + index)),
        gap(lines2.length - to)
      );
      table2.setAttribute("aria-rowcount", String(lines2.length + 1));
      if (focused) body.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
    };
    box.addEventListener("scroll", () => draw7(false));
    const reveal3 = () => {
      const [top, height2] = [focus * ROW_HEIGHT, box.clientHeight - 2 * ROW_HEIGHT];
      if (top < box.scrollTop) box.scrollTop = top;
      else if (top > box.scrollTop + height2) box.scrollTop = top - height2;
      draw7();
      body.querySelector("[tabindex='0']")?.focus({ preventScroll: true });
    };
    const toggle2 = (flips, opens = false) => {
      const line3 = lines2[focus];
      if (!line3) return;
      if (line3.hidden) full.set(shape.node[line3.at], listed(line3.at).shown.length + BATCH);
      else if (childCount(shape, line3.at) > 0) {
        const node = shape.node[line3.at];
        if (flips ? isOpen(line3.at) : !opens) open.delete(node);
        else open.add(node);
      }
      unfold();
      reveal3();
    };
    body.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const line3 = lines2[focus];
      if (!line3) return;
      const page = Math.max(1, Math.floor(box.clientHeight / ROW_HEIGHT) - 2);
      const to = {
        ArrowDown: focus + 1,
        ArrowUp: focus - 1,
        Home: 0,
        End: lines2.length - 1,
        PageDown: focus + page,
        PageUp: focus - page
      }[event.key];
      if (to !== void 0) {
        focus = Math.max(0, Math.min(lines2.length - 1, to));
        reveal3();
      } else if (event.key === "Enter" || event.key === " ") toggle2(true);
      else if (event.key === "ArrowRight" && !line3.hidden && isOpen(line3.at) && lines2[focus + 1]?.level > line3.level) {
        focus += 1;
        reveal3();
      } else if (event.key === "ArrowRight") {
        if (!line3.hidden) toggle2(false, true);
      } else if (event.key === "ArrowLeft" && !line3.hidden && isOpen(line3.at) && childCount(shape, line3.at) > 0)
        toggle2(false, false);
      else if (event.key === "ArrowLeft") {
        while (focus > 0 && lines2[focus].level >= line3.level) focus -= 1;
        reveal3();
      } else return;
      event.preventDefault();
      event.stopPropagation();
    });
    addEventListener("beforeprint", () => {
      if (shape.count > 0 && element.offsetParent) {
        printing = true;
        draw7();
      }
    });
    addEventListener("afterprint", () => {
      if (printing) {
        printing = false;
        draw7();
      }
    });
    return {
      element,
      /** Shows a tree. `found` is the result of `Nodes.search`, or `null`. */
      show: (next2, found3) => {
        shape = next2;
        total2 = shape.total;
        find = found3;
        if (shape.count > 0 && isFirst) {
          open.add(shape.node[0]);
          const largest = children(shape, 0).find((at) => childCount(shape, at) > 0);
          if (largest !== void 0) open.add(shape.node[largest]);
        }
        let opened2 = 0;
        for (let at = 0; at < shape.count; at += 1) {
          if (find ? find.opens[at] && opened2++ < BATCH : false) open.add(shape.node[at]);
          if (isFirst && kind(shape, at) === UNEXPLAINED)
            for (const up of above(shape, at).slice(0, -1)) open.add(shape.node[up]);
        }
        isFirst = false;
        unfold();
        draw7();
      }
    };
  };

  // src/tree.ts
  var hue = (shape) => {
    shape.hues ??= (() => {
      let at = 0;
      while (childCount(shape, at) === 1) [at] = children(shape, at);
      const hues = new Int8Array(shape.count).fill(-1);
      [...children(shape, at)].sort((one, other) => one - other).forEach((one, index) => {
        hues[one] = index % 8;
      });
      for (let one = 1; one < shape.count; one += 1) if (hues[one] < 0) hues[one] = hues[shape.parent[one]];
      return hues;
    })();
    return shape.hues;
  };
  var paint3 = (shape, at) => {
    const kind3 = kind(shape, at);
    if (kind3 === UNEXPLAINED) return { color: "--paper", strength: 1, hatched: 1 };
    const of3 = hue(shape)[at];
    if (of3 < 0 || kind3 === OTHERS) return { color: "--same", strength: 1, hatched: 0 };
    const depth = above(shape, at).length;
    return { color: `--series-${of3 + 1}`, strength: depth % 2 ? 0.36 : 0.26, hatched: 0 };
  };
  var MAX_HOLDERS = 5;
  var describe4 = (shape, at) => {
    const rows3 = [
      ["bytes", amount(shape, at)],
      ["exactly", amount(shape, at, exact)],
      ["share", percent(shape.bytes[at], shape.total)]
    ];
    if (!Number.isNaN(shape.allocations[at])) rows3.push(["allocations", grouped(shape.allocations[at])]);
    if (shape.parent[at] > 0) rows3.push(["parent", path2(shape, shape.parent[at]).replaceAll(";", " › ")]);
    const held = shape.holders.filter(([node]) => node === shape.node[at]);
    rows3.push(...held.slice(0, MAX_HOLDERS).map(([, line3]) => ["shared", line3]));
    return { title: name(shape, at), rows: rows3 };
  };
  var tensors = () => build10({
    label: "Tensors",
    sort: { key: "bytes", down: true },
    matches: (row) => has(row.path),
    columns: [
      names2("path", "tensor", (row) => row.path.split(";")),
      bytes4("bytes", "bytes"),
      textColumn("shape", "shape", { narrow: 1 }, (row) => row.shape),
      textColumn("dtype", "type", { narrow: 1 }, (row) => row.dtype),
      textColumn("device", "device", { narrow: 1 }, (row) => row.device),
      textColumn(
        "grad",
        "gradient",
        { narrow: 2 },
        (row) => row.requiresGrad === null ? "unknown" : row.requiresGrad ? "yes" : "no"
      ),
      textColumn(
        "operation",
        "operation",
        { narrow: 2 },
        (row) => row.operation?.replaceAll(";", " › ") ?? "unknown"
      )
    ]
  });
  var unexplained = (data7, shape, snapshot2) => {
    if (data7.began === null) return "";
    const positions = [...shape.node.keys()].filter((at) => kind(shape, at) === UNEXPLAINED);
    if (positions.length > 0) {
      const bytes5 = positions.reduce((sum2, at) => sum2 + shape.bytes[at], 0);
      const bounds = positions.reduce((all2, at) => all2 | shape.bounds[at], 0);
      const hasSites = positions.some((at) => childCount(shape, at) > 0);
      return [
        make("b", { title: exact(bytes5) }, `Unexplained: ${bounded(bytes5, bounds)}`),
        ` (${percent(bytes5, shape.total)}), in use, but not explained by a root. `,
        hasSites && "Below it are the call sites, estimated from samples."
      ];
    }
    return prose(
      snapshot2.live === null ? "Unexplained bytes are unknown: the heap was not counted. To count it, add `#[global_allocator] static ALLOC: memprof::Allocator = memprof::Allocator::system();` to the program." : snapshot2.missing.length > 0 ? "Unexplained bytes are unknown, because some roots are missing." : "Unexplained bytes are unknown in this tree."
    );
  };
  var COLOURS2 = {
    "the roots' values": "roots",
    "live heap": "roots",
    unexplained: "unexplained",
    "the profiler's own": "profiler"
  };
  var SERIES2 = 6;
  var balance = ({ waterfall: steps, rootsAtLeast, explained: explained2, unexplained: unexplained2, claimedTwice }) => {
    if (steps.length === 0) return null;
    const parts2 = steps.filter(({ sign }) => sign !== "=");
    const whole2 = parts2.reduce((sum2, { bytes: bytes5 }) => sum2 + Math.max(0, bytes5), 0);
    const fixed = ({ what }) => COLOURS2[what] ?? (/^\/|mapped files$/.test(what) ? "files" : null);
    const others = parts2.filter((step) => fixed(step) === null);
    const colour3 = (step) => fixed(step) ?? `part-${others.indexOf(step) % SERIES2 + 1}`;
    const amount2 = ({ what, sign, bytes: bytes5 }) => {
      const bound = !rootsAtLeast ? 0 : sign === "" ? Bound.LEAST : what === "unexplained" ? Bound.MOST : 0;
      return bounded(sign === "+" ? Math.abs(bytes5) : bytes5, bound);
    };
    const samples = [
      ["roots reach", explained2],
      ["no root reaches", unexplained2],
      ["several roots reach", claimedTwice]
    ];
    const known = samples.flatMap(([words, one]) => one ? [`${words} ${estimate(one)}`] : []);
    return [
      make(
        "div",
        { class: "bar", "aria-hidden": "true" },
        parts2.map(
          (step) => make("i", { class: colour3(step), style: { "flex-grow": whole2 > 0 ? Math.max(0, step.bytes) / whole2 : 0 } })
        )
      ),
      make(
        "p",
        { class: "steps" },
        steps.map(
          (step) => make("span", { title: exact(step.bytes) }, [
            step.sign && `${step.sign === "+" && step.bytes < 0 ? "−" : step.sign} `,
            step.sign !== "=" && make("i", { class: `swatch ${colour3(step)}`, "aria-hidden": "true" }),
            `${step.what} `,
            make("b", {}, amount2(step))
          ])
        )
      ),
      known.length > 0 && make("p", { class: "faint" }, `By samples, ${known.join(", ")}.`)
    ];
  };
  var build15 = (data7, element) => {
    if (nearest(data7.snapshots, 0) < 0) {
      put(
        element,
        make(
          "p",
          { class: "empty" },
          prose(
            data7.snapshots.length === 0 ? "No snapshot was taken, so there is no tree." : 'No snapshot in this page has a tree. To record the tree of a value, register it with `session.root("name", value)`.'
          )
        )
      );
      return { keys: [], draw: () => void 0, found: () => 0 };
    }
    const chooser = build3(data7, "Snapshot", "shown");
    const device = make("select", { onchange: () => draw7() });
    const devices2 = make("label", {}, [make("span", { class: "faint" }, "Memory"), device]);
    const details2 = make("input", { type: "checkbox", onchange: () => draw7() });
    const verdict2 = make("p", { class: "verdict" });
    const claims = make("p");
    const steps = make("div", { class: "balance" });
    const missing = make("p", { class: "missing" });
    const icicle = build9({ label: "Tree of the snapshot", paint: paint3, describe: describe4, amount });
    const table2 = build14("Tree of the snapshot");
    const holders = make("ul");
    const lists = "This snapshot has no list. Lists are recorded at checkpoints, on request and at the end.";
    const unlisted = make("p", { class: "faint" }, lists);
    const shared = make("div", {}, [make("h3", {}, "Who keeps shared memory alive"), unlisted, holders]);
    const listed = tensors();
    const below = make("div", {}, [make("h3", {}, "Tensors"), make("p", { class: "faint" }), listed.element]);
    put(
      element,
      make("div", { class: "heading" }, [
        chooser.element,
        devices2,
        make("label", { title: "Show the kinds of bytes: [data], [spare], [table] …" }, [details2, "details"])
      ]),
      verdict2,
      claims,
      steps,
      missing,
      icicle.element,
      table2.element,
      shared,
      below
    );
    const treeOf = (index) => data7.tree(index) ?? NO_TREE;
    const shapeOf = (index) => of(treeOf(index), {
      details: details2.checked,
      sites: true,
      device: device.value === "all" || device.value === "" ? null : device.value.slice(1)
    });
    const draw7 = () => {
      const index = chooser.draw();
      const [snapshot2, tree] = [data7.snapshots[index], treeOf(index)];
      const all2 = devicesOf(tree);
      devices2.hidden = all2.length < 2;
      const was = device.value;
      put(
        device,
        make("option", { value: "all" }, "all"),
        all2.map((name4) => make("option", { value: `@${name4}` }, name4 || "host"))
      );
      device.value = all2.includes(was.slice(1)) && was.startsWith("@") ? was : "all";
      const shape = shapeOf(index);
      const later = now.shown !== index && now.shown >= 0 ? `The page has no tree of the snapshot at ${span(data7.snapshots[now.shown].at)}. This is the tree of a nearby snapshot. ` : "";
      put(
        verdict2,
        later,
        make("b", { title: amount(shape, 0, exact) }, amount(shape, 0)),
        ` · ${tree.verdict}`
      );
      put(claims, unexplained(data7, shape, snapshot2));
      put(steps, balance(snapshot2));
      put(
        missing,
        snapshot2.missing.length > 0 && [
          "Missing: ",
          snapshot2.missing.map(([name4, reason3]) => `${name4 || "(no name)"} (${reason3})`).join(", ")
        ]
      );
      missing.hidden = snapshot2.missing.length === 0;
      const found3 = isActive() ? search(shape, now.find) : null;
      icicle.show(shape);
      table2.show(shape, found3);
      shared.hidden = !data7.hasHolders;
      put(
        holders,
        tree.holders.map(([, line3]) => make("li", {}, marked(line3)))
      );
      unlisted.hidden = tree.holders.length > 0;
      below.hidden = snapshot2.tensorCount === 0 && snapshot2.tensors.length === 0;
      below.children[1].textContent = snapshot2.tensors.length < snapshot2.tensorCount ? `The ${grouped(snapshot2.tensors.length)} largest of ${grouped(snapshot2.tensorCount)} tensors.` : "";
      listed.show(snapshot2.tensors);
    };
    return {
      keys: ["units", "theme", "shown", "find"],
      draw: draw7,
      icicle,
      found: () => {
        const index = nearest(data7.snapshots, now.shown);
        return search(shapeOf(index), now.find).count;
      }
    };
  };

  // src/panes.ts
  var ALL = [
    ["operations", "Operations", operations_exports],
    ["tree", "Tree", tree_exports],
    ["difference", "Difference", difference_exports],
    ["places", "Call sites", places_exports]
  ];
  var order = (data7) => growing(data7.sites).length === 0 ? ALL : [...ALL].sort(([one], [other]) => Number(other === "places") - Number(one === "places"));
  var panes = /* @__PURE__ */ new Map();
  var tabs = (list, parts2, data7) => {
    const show3 = (name4, focus = false) => {
      set({ pane: name4 });
      if (focus) panes.get(name4)?.tab.focus();
    };
    const step = (event, name4) => {
      const names3 = [...panes.keys()];
      const at = names3.indexOf(name4);
      const keys = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: names3.length - 1 };
      const next2 = keys[event.key];
      if (next2 === void 0 || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      show3(names3[(next2 + names3.length) % names3.length], true);
    };
    put(list);
    list.setAttribute("aria-label", "Tables");
    for (const [name4, title, part2] of order(data7)) {
      const count = make("span", { class: "count" });
      const tab = button([title, count], () => show3(name4), {
        role: "tab",
        id: `tab-${name4}`,
        "aria-controls": `pane-${name4}`,
        onkeydown: (event) => step(event, name4)
      });
      const element = make("div", {
        role: "tabpanel",
        id: `pane-${name4}`,
        "aria-labelledby": `tab-${name4}`,
        tabindex: -1,
        class: "pane"
      });
      list.append(tab);
      parts2.append(element);
      panes.set(name4, { name: name4, tab, element, count, stale: true, ...part2.build(data7, element) });
    }
  };
  var draw6 = () => {
    for (const pane of panes.values()) {
      const front = pane.name === now.pane;
      pane.tab.setAttribute("aria-selected", String(front));
      pane.tab.tabIndex = front ? 0 : -1;
      pane.element.hidden = !front;
      if (!front || !pane.stale) continue;
      pane.stale = false;
      pane.draw();
    }
  };
  var follow = (data7) => {
    const { range } = now;
    if (!range) return;
    const at = (moment3) => nearest(
      data7.snapshots,
      data7.snapshots.findLastIndex((snapshot2) => snapshot2.at <= moment3)
    );
    const [shown2, before] = [at(range.to), at(range.from)];
    if (shown2 >= 0) set({ shown: shown2, before });
  };
  var searching = () => {
    const input = id("find");
    const output = id("found");
    let timer2 = 0;
    const search3 = () => set({ find: input.value.trim().toLowerCase().slice(0, 200) });
    const count = () => {
      const counts = /* @__PURE__ */ new Map();
      for (const [name4, pane] of panes) {
        const matches2 = isActive() ? pane.found() : 0;
        counts.set(name4, matches2);
        pane.count.textContent = matches2 > 0 ? grouped(matches2) : "";
      }
      const [operations, names3] = [counts.get("operations") ?? 0, counts.get("tree") ?? 0];
      output.textContent = isActive() ? grouped(operations + names3) : "";
      output.title = isActive() ? `${counted(operations, "operation")} and ${counted(names3, "name")} in the tree` : "";
      if (isActive()) announce(`Found ${output.title}`);
      return counts;
    };
    input.value = now.find;
    input.addEventListener("input", () => {
      clearTimeout(timer2);
      timer2 = window.setTimeout(search3, 120);
    });
    input.addEventListener("keydown", (event) => {
      if (event.key === "Escape") {
        if (input.value === "") input.blur();
        input.value = "";
        search3();
        event.stopPropagation();
      } else if (event.key === "Enter") {
        search3();
        const names3 = [...panes.keys()];
        const here = names3.indexOf(now.pane);
        const counts = count();
        const next2 = [...names3.slice(here + 1), ...names3.slice(0, here + 1)].find((name4) => (counts.get(name4) ?? 0) > 0);
        if (next2) set({ pane: next2 });
      }
    });
    on(["find", "shown", "before"], () => {
      if (input !== document.activeElement && input.value.trim().toLowerCase() !== now.find)
        input.value = now.find;
      count();
    });
    if (isActive()) count();
  };
  var build16 = (data7, list, parts2) => {
    use2(data7);
    const { snapshots } = data7;
    const trees = snapshots.flatMap((snapshot2, index) => snapshot2.hasTree ? [index] : []);
    const amount2 = (index) => snapshots[index].live ?? data7.tree(index)?.total ?? 0;
    if (now.shown < 0 && trees.length > 0)
      now.shown = trees.find((index) => snapshots[index].peak) ?? trees.reduce((most, index) => amount2(index) > amount2(most) ? index : most);
    if (now.before < 0 && trees.length > 0) [now.before] = trees;
    if (data7.began === null || trees.length > 0 && data7.calls.count === 0 && data7.operations.length === 0)
      now.pane = "tree";
    if (growing(data7.sites).length > 0) now.pane = "places";
    tabs(list, parts2, data7);
    try {
      const fromUrl = new URLSearchParams(location.hash.slice(1)).get("pane");
      if (fromUrl !== null && panes.has(fromUrl)) now.pane = fromUrl;
    } catch {
    }
    if (!panes.has(now.pane)) now.pane = ALL[0][0];
    const keys = /* @__PURE__ */ new Set(["pane", ...[...panes.values()].flatMap((pane) => pane.keys)]);
    for (const key of keys)
      on([key], () => {
        for (const pane of panes.values()) if (pane.keys.includes(key)) pane.stale = true;
      });
    on(["range"], () => follow(data7));
    on([...keys], draw6);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      for (const pane of panes.values()) pane.stale = true;
      draw6();
    });
    searching();
    draw6();
  };
  var debug2 = {
    rows: (name4) => {
      const all2 = panes.get(name4)?.element.querySelectorAll("tbody tr:not(.gap)") ?? [];
      return [...all2].filter((row) => row.offsetParent).map((row) => [...row.cells].map((cell) => cell.textContent));
    },
    node: (path4) => panes.get(now.pane)?.icicle?.box(path4) ?? null
  };

  // src/start.ts
  var head = (data7) => {
    const program = data7.title === data7.program ? "" : `${data7.program} · `;
    id("began").textContent = data7.began === null ? `${program}a profile · memprof ${data7.memprof}` : `${program}${data7.began} · ${span(data7.end)} · ${data7.ended} · memprof ${data7.memprof} on ${data7.platform}`;
    const facts = () => put(
      id("facts"),
      data7.facts.map(
        (fact) => make("div", {}, [
          make("dt", {}, fact.label),
          make(
            "dd",
            fact.bytes === null ? {} : { title: exact(fact.bytes) },
            fact.text ?? bounded(fact.bytes ?? NaN, fact.atLeast ? Bound.LEAST : 0)
          )
        ])
      )
    );
    on(["units"], facts);
    facts();
    if (data7.notes.length === 0) return;
    const [summary, list] = id("notes").children;
    summary.textContent = data7.notes.length === 1 ? "1 note on this page" : `${data7.notes.length} notes on this page`;
    put(
      list,
      data7.notes.map((note2) => make("li", {}, prose(note2)))
    );
    id("notes").hidden = false;
  };
  var controls = () => {
    const choose3 = (name4, then) => {
      const select2 = id(name4);
      const show3 = () => {
        select2.value = now[name4];
        then(now[name4]);
      };
      select2.addEventListener("change", () => {
        const value = select2.value;
        then(value);
        set({ [name4]: value });
      });
      on([name4], show3);
      show3();
    };
    choose3("units", use);
    choose3("theme", (theme) => {
      if (theme === "auto") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = theme;
    });
    id("controls").hidden = false;
  };
  var run = async () => {
    const data7 = await read();
    Object.assign(now, { to: data7.end, units: data7.units });
    recall(data7);
    use(now.units);
    head(data7);
    build(data7, id("answer"));
    controls();
    id("main").hidden = false;
    id("summary").hidden = true;
    build7(data7, id("time-parts"));
    build16(data7, id("tabs"), id("pane-parts"));
    build8(data7);
    window.__memprof = {
      data: data7,
      state: now,
      set,
      units: units_exports,
      time: time_exports,
      panes: panes_exports,
      ready: performance.now()
    };
  };
  run().catch((error) => {
    id("waiting").textContent = `This page cannot be drawn: ${error.message}. The text above is a summary of the same data. To write the page again, run \`memprof html FILE -o page.html\`.`;
    id("summary").hidden = false;
    throw error;
  });
})();
