/** Colours: the page's variables in the form that canvases need, and a colour for each
 * operation. */

import * as Dom from "./dom";
import * as State from "./state";

let paths: Contents.OperationPath[] = [];
let values = new Map<string, string>();
let bars: number[] = [];
let dims: number[] = [];
let dark = false;
let probe: CanvasRenderingContext2D | null = null;
const listeners: (() => void)[] = [];

export const css = (name: string) => {
  let value = values.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    values.set(name, value);
  }
  return value;
};

/** Returns the three bytes of any colour, including system colours. A canvas converts the name
 * to numbers. */
const bytes = (colour: string) => {
  probe ??= Dom.drawing(document.createElement("canvas"));
  probe.fillStyle = "#000000";
  probe.fillStyle = colour;
  const number = parseInt(String(probe.fillStyle).slice(1, 7), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
};

const written = ([red, green, blue]: number[]) => `rgb(${red},${green},${blue})`;

const forget = () => {
  values = new Map();
  bars = [];
  dims = [];
  const [red, green, blue] = bytes(css("--paper"));
  dark = red * 0.3 + green * 0.6 + blue * 0.1 < 128;
};

/** Converts OKLCH to sRGB. Equal lightness looks equal in every hue, and the colour of labels
 * depends on this. */
const perceived = (lightness: number, chroma: number, hue: number) => {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((one) =>
    Math.round(255 * Math.min(1, Math.max(0, one <= 0.0031308 ? 12.92 * one : 1.055 * one ** (1 / 2.4) - 0.055))),
  );
};

const hash = (text: string) => {
  let sum = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
  sum = Math.imul(sum ^ (sum >>> 15), 0x2c1b3c6d);
  return (sum ^ (sum >>> 13)) >>> 0;
};

// The first name of a path determines the hue, so that families of operations differ. The whole
// path changes the hue slightly. The depth changes the lightness, so that neighbours differ with
// any colour vision.
const colour = (index: number) => {
  let depth = 0;
  let first = index;
  for (let above = paths[first].parent; above !== null && depth < 64; depth++) {
    first = above;
    above = paths[first].parent;
  }
  const own = hash(paths[index].whole);
  const hue = (hash(paths[first].name) % 12) * 30 + (depth === 0 ? 0 : ((own % 5) - 2) * 20);
  // The lightness is at most 0.55 in the dark theme, where texts are white, and at least 0.67 in
  // the light one, where they are dark. Both are easy to read.
  const step = (depth % 4) * 0.6 + ((own >>> 8) % 3) * 0.3;
  return dark ? perceived(0.47 + step * 0.033, 0.1, hue) : perceived(0.67 + step * 0.04, 0.1, hue);
};

/** Converts a colour to its form in the memory of an image. */
const packed = ([red, green, blue]: number[], alpha = 255) => ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;

export const bar = (index: number) => {
  if (bars[index] === undefined) bars[index] = packed(colour(index));
  return bars[index];
};
/** Returns the colour of an operation that does not match the search. */
export const dim = (index: number) => {
  if (dims[index] === undefined) {
    const paper = bytes(css("--paper"));
    dims[index] = packed(colour(index).map((one, at) => Math.round(one * 0.2 + paper[at] * 0.8)));
  }
  return dims[index];
};

const anew = () => {
  forget();
  for (const run of listeners) run();
};

/** Returns a variable's colour as a pixel. */
export const pixel = (name: string, alpha?: number) => packed(bytes(css(name)), alpha);

export const operation = (index: number) => written(colour(index));

/** Returns the colour of text on an operation's colour. */
export const label = () => (dark ? "#ffffff" : "#10161d");

export const font = (size = 12, weight = "") => `${weight} ${size}px ${css("--sans")}`;

/** Takes the paths of a report, and updates the colours whenever the theme changes. */
export const learn = (all: Contents.OperationPath[]) => {
  paths = all;
  forget();
  State.on(["theme"], anew);
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
    const media = matchMedia(query);
    if (media.addEventListener) media.addEventListener("change", anew);
  }
};

/** Calls a function after each change of the theme. */
export const onchange = (run: () => void) => {
  listeners.push(run);
};
