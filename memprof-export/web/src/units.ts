/** Formatted amounts. `Units` of memprof-profile does the same, and tests compare both with
 * one table. */

import { Bound } from "./page_data";

const NAMES: Record<Contents.UnitsName, [number, string[]]> = {
  iec: [1024, ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]],
  si: [1000, ["kB", "MB", "GB", "TB", "PB", "EB"]],
  bytes: [Infinity, []],
};
const SPANS: [string, number][] = [
  ["µs", 1e3],
  ["ms", 1e6],
  ["s", 1e9],
];
let names: Contents.UnitsName = "iec";

/** Formats a count with its thousands separated. */
export const grouped = (count: number) => {
  const sign = count < 0 ? "−" : "";
  return sign + String(Math.abs(count)).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
};

/** Formats bytes in the chosen units; negative amounts have a minus. */
export const bytes = (amount: number | null, units = names) => {
  if (amount === null || Number.isNaN(amount)) return "unknown";
  const [base, steps] = NAMES[units];
  const whole = Math.round(Math.abs(amount));
  const sign = amount < 0 && whole > 0 ? "−" : "";
  if (whole < base) return `${sign}${grouped(whole)}\u00a0B`;
  let unit = 1;
  let shown = "";
  for (const step of steps) {
    unit *= base;
    const tenths = Math.floor((whole * 10 + unit / 2) / unit);
    shown = `${Math.floor(tenths / 10)}.${tenths % 10}\u00a0${step}`;
    if (tenths < base * 10) break;
  }
  return sign + shown;
};

/** Formats bytes of which only a bound may be known, given the bits of `Bound`: `≥ 1.2 MiB`. */
export const bounded = (amount: number, bounds: number, format: (amount: number | null) => string = bytes) => {
  const sign = bounds & Bound.LEAST ? "≥" : bounds & Bound.MOST ? "≤" : "";
  return sign === "≥" && amount === 0 ? "unknown" : `${sign && `${sign}\u00a0`}${format(amount)}`;
};

/** Formats a change: `+1.2 MiB`, `−4.0 KiB`, `±0 B`. */
export const change = (amount: number | null) => {
  if (amount === null || Number.isNaN(amount)) return "unknown";
  const sign = amount > 0 ? "+" : amount < 0 ? "−" : "±";
  return sign + bytes(Math.abs(amount));
};

/** Formats all bytes, never rounded. */
export const exact = (amount: number | null) =>
  amount === null || Number.isNaN(amount) ? "unknown" : `${grouped(Math.round(amount))}\u00a0B`;

/** Formats a duration: `12.3 ms`, `2 min 5 s`. */
export const span = (amount: number | null) => {
  if (amount === null || Number.isNaN(amount)) return "unknown";
  const ns = amount;
  if (ns < 1000) return `${Math.round(ns)}\u00a0ns`;
  for (const [name, unit] of SPANS) {
    const tenths = Math.round((ns * 10) / unit);
    if (tenths < (name === "s" ? 600 : 10000)) {
      return `${Math.floor(tenths / 10)}.${tenths % 10}\u00a0${name}`;
    }
  }
  const seconds = Math.max(60, Math.floor(ns / 1e9));
  const of = (large: number, name: string, small: number, rest: string) => {
    const left = Math.floor((seconds % large) / small);
    return `${Math.floor(seconds / large)}\u00a0${name}${left ? `\u00a0${left}\u00a0${rest}` : ""}`;
  };
  if (seconds < 3600) return of(60, "min", 1, "s");
  if (seconds < 86400) return of(3600, "h", 60, "min");
  return of(86400, "d", 3600, "h");
};

/** Formats a time with all its digits: `12.345678901 s`. */
export const moment = (ns: number) => {
  const seconds = Math.floor(ns / 1e9);
  return `${grouped(seconds)}.${String(ns - seconds * 1e9).padStart(9, "0")}\u00a0s`;
};

/** Formats a share of a whole, or `–` if the whole is 0. */
export const percent = (part: number, whole: number) =>
  whole > 0 ? `${((part / whole) * 100).toFixed(1)}\u00a0%`.replace("-", "−") : "–";

/** Formats a count with its word: `1 name`, `12 names`. */
export const counted = (count: number, noun: string) => `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;

/** Formats an estimate with half its 95 % interval. If the interval reaches below 0, only its upper
 * end is shown. */
export const estimate = (one: Contents.Estimate | null, format: (amount: number) => string = bytes) => {
  if (one === null) return "unknown";
  const side = Math.round(one.side);
  if (side <= 0) return format(one.value);
  if (side > one.value) return `at most ${format(one.value + side)}`;
  return `${format(one.value)} ±\u00a0${format(side)}`;
};

/** Formats a figure of a gauge: bytes, nanoseconds, or a count with its unit. */
export const figure = (value: number | null, unit: string) => {
  if (value === null || Number.isNaN(value)) return "unknown";
  if (unit === "bytes") return bytes(value);
  if (unit === "ns") return span(value);
  if (unit === "celsius") return `${grouped(value)}\u00a0°C`;
  if (unit === "milliwatts") return `${(value / 1000).toFixed(1)}\u00a0W`;
  return `${grouped(value)}\u00a0${unit}`;
};

export const use = (chosen: Contents.UnitsName) => {
  names = chosen;
};
