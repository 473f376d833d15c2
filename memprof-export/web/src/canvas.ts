/** Canvases with sharp pixels, rectangles written directly into pixels, and texts cut to a
 * width. */

import * as Dom from "./dom";
import * as Palette from "./palette";

const sizes = new WeakMap<HTMLCanvasElement, string>();
/** The largest width and height of a canvas, in pixels of the screen. */
const MAX_WIDTH = 8192;
export const MAX_HEIGHT = 4096;
export const ratio = () => Math.min(3, window.devicePixelRatio || 1);

/** Creates a canvas that the keyboard can reach, with a label for screen readers. */
export const make = (label: string) =>
  Dom.make("canvas", { class: "plot", tabindex: 0, role: "img", "aria-label": label });

/** Returns the canvas's context, cleared. It has the resolution of the screen and uses the
 * pixels of the page as its unit. */
export const cleared = (element: HTMLCanvasElement, width: number, height: number) => {
  const scale = ratio();
  const [pixelWidth, pixelHeight] = [
    Math.min(MAX_WIDTH, Math.round(width * scale)),
    Math.min(MAX_HEIGHT, Math.round(height * scale)),
  ];
  const size = `${pixelWidth} ${pixelHeight} ${width} ${height}`;
  if (sizes.get(element) !== size) {
    sizes.set(element, size);
    element.width = pixelWidth;
    element.height = pixelHeight;
    element.style.setProperty("width", `${width}px`);
    element.style.setProperty("height", `${height}px`);
  }
  const context = Dom.drawing(element);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = Palette.font();
  context.textBaseline = "middle";
  return context;
};

/** The pixels of a canvas, in pixels of the screen. */
export interface Pixels {
  pixels32: Uint32Array;
  width: number;
  height: number;
  /** Fills a rectangle between two corners, whose coordinates are rounded. */
  rect(x0: number, y0: number, x1: number, y1: number, colour: number): void;
  /** Draws the pixels. */
  put(): void;
}

// Bars and stepped curves have only horizontal and vertical edges. Writing pixels takes a tenth
// of the time that a canvas without a GPU takes for the same rectangles and paths.
const images = new WeakMap<HTMLCanvasElement, ImageData>();
/** Returns the pixels of a context's canvas, all clear, in pixels of the screen. */
export const pixels = (context: CanvasRenderingContext2D): Pixels => {
  const { width, height } = context.canvas;
  let image = images.get(context.canvas);
  if (!image || image.width !== width || image.height !== height) {
    image = context.createImageData(Math.max(1, width), Math.max(1, height));
    images.set(context.canvas, image);
  }
  const pixels32 = new Uint32Array(image.data.buffer);
  pixels32.fill(0);
  return {
    pixels32,
    width,
    height,
    rect: (x0: number, y0: number, x1: number, y1: number, colour: number) => {
      const [left, right] = [Math.max(0, Math.round(x0)), Math.min(width, Math.round(x1))];
      const [top, bottom] = [Math.max(0, Math.round(y0)), Math.min(height, Math.round(y1))];
      for (let y = top; y < bottom; y++) {
        if (right - left < 16) for (let at = y * width + left; at < y * width + right; at++) pixels32[at] = colour;
        else pixels32.fill(colour, y * width + left, y * width + right);
      }
    },
    put: () => context.putImageData(image, 0, 0),
  };
};

// Each text is measured once, because panning needs the same texts many times.
const widths = new Map<string, number>();
const cuts = new Map<string, string>();
export const width = (context: CanvasRenderingContext2D, text: string) => {
  let measured = widths.get(text);
  if (measured === undefined) {
    if (widths.size > 20000) widths.clear();
    measured = context.measureText(text).width;
    widths.set(text, measured);
  }
  return measured;
};
/** Returns the part of a text that fits, with `…` if it was cut. Returns an empty text if not
 * even a letter fits. */
export const cut = (context: CanvasRenderingContext2D, text: string, available: number) => {
  if (width(context, text) <= available) return text;
  // Widths are in steps of four pixels, so that zooming does not measure every word again for
  // each frame.
  const steps = Math.max(0, available >> 2);
  const key = `${steps}\n${text}`;
  let short = cuts.get(key);
  if (short === undefined) {
    const letters = Array.from(text.slice(0, 200));
    let [low, high] = [0, letters.length];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (context.measureText(`${letters.slice(0, middle).join("")}…`).width <= steps * 4) low = middle;
      else high = middle - 1;
    }
    short = low === 0 ? "" : `${letters.slice(0, low).join("")}…`;
    if (cuts.size > 20000) cuts.clear();
    cuts.set(key, short);
  }
  return short;
};
