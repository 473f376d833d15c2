/** A tree as an icicle on a canvas: the root is on top, and widths are bytes. Choosing a node zooms
 * in, and the line above the picture zooms out. Every action also works by keyboard. */

import * as Canvas from "./canvas";
import * as Dom from "./dom";
import { make, put } from "./dom";
import * as Found from "./found";
import type { Shape } from "./nodes";
import * as Nodes from "./nodes";
import * as Palette from "./palette";
import * as Tooltip from "./tooltip";
import * as Units from "./units";

const ROW = 24;
const LEVELS = 40;
const MIN_WIDTH = 2;
const PAD = 5;
/** A drawn node, or the children of a node that are too narrow to draw. */
interface Box {
  at: number;
  x: number;
  level: number;
  w: number;
  /** The number of children in the box; 0 if the box is a node. */
  more: number;
  /** The bytes of the node, or of those children. */
  bytes: number;
}

/** A box, or the position of one that is not drawn yet. */
type Place = Pick<Box, "at"> & Partial<Box>;

/** The look of a node: a colour or its variable, and the hatched part. */
export interface Paint {
  color: string;
  strength: number;
  hatched: number;
}

export interface Parts<S> {
  label: string;
  paint: (shape: S, at: number) => Paint;
  describe: (shape: S, at: number) => { title: string; rows: [string, string][] };
  /** Formats the bytes of a node (default: its width). */
  amount?: (shape: S, at: number) => string;
}

export interface Icicle<S> {
  element: HTMLElement;
  /** Shows a tree. The zoom stays on the same node, or on its nearest ancestor in the new
   * tree. */
  show(next: S): void;
  /** Returns the position of a path on the screen, for tests. */
  box(path: string): { x: number; y: number; width: number; height: number; bytes: number } | null;
}

const NONE: Place = { at: -1 };

/** Builds an icicle. */
export const build = <S extends Shape>({ label, paint, describe, amount }: Parts<S>): Icicle<S> => {
  const canvas = make("canvas", {
    tabindex: 0,
    role: "application",
    "aria-roledescription": "icicle",
    "aria-label": `${label}. Arrows move, Enter zooms in, Backspace zooms out.`,
  });
  const trail = make("nav", { class: "trail", "aria-label": "Path of the shown branch" });
  const deeper = make("p", { class: "faint", hidden: true }, "There are more levels below: zoom in to see them.");
  const element = make("div", { class: "icicle" }, [trail, canvas, deeper]);
  // Set by the first `show`, before anything is drawn.
  let shape!: S;
  let root = 0;
  let boxes: Box[] = [];
  let focus = NONE;
  let hover = NONE;
  let width = 0;

  const layout = () => {
    boxes = [];
    deeper.hidden = true;
    const whole = shape.width[root];
    if (!(whole > 0)) return;
    const scale = width / whole;
    const place = (at: number, x: number, level: number) => {
      boxes.push({ at, x, level, w: shape.width[at] * scale, more: 0, bytes: shape.width[at] });
      if (level + 1 === LEVELS) {
        deeper.hidden = deeper.hidden && Nodes.childCount(shape, at) === 0;
        return;
      }
      const below = Nodes.children(shape, at);
      let left = x;
      for (let index = 0; index < below.length; index += 1) {
        const w = shape.width[below[index]] * scale;
        if (w < MIN_WIDTH) {
          rest(at, below, index, left, level + 1);
          return;
        }
        place(below[index], left, level + 1);
        left += w;
      }
    };
    const rest = (at: number, below: Uint32Array, index: number, x: number, level: number) => {
      let bytes = 0;
      for (let one = index; one < below.length; one += 1) bytes += shape.width[below[one]];
      if (bytes * scale >= 1) boxes.push({ at, x, level, w: bytes * scale, more: below.length - index, bytes });
    };
    place(root, 0, 0);
  };

  const hatch = (context: CanvasRenderingContext2D, x: number, y: number, w: number, h: number) => {
    context.save();
    context.beginPath();
    context.rect(x, y, w, h);
    context.clip();
    context.strokeStyle = Palette.css("--hatch");
    context.globalAlpha = 0.55;
    context.beginPath();
    for (let from = x - h - (x % 6); from < x + w; from += 6) {
      context.moveTo(from, y + h);
      context.lineTo(from + h, y);
    }
    context.stroke();
    context.restore();
  };

  const drawBox = (context: CanvasRenderingContext2D, box: Box) => {
    const [x, y, w, h] = [box.x, box.level * ROW, Math.max(1, box.w - (box.w > 3 ? 1 : 0)), ROW - 1];
    const { color, strength, hatched } = box.more ? { color: "--same", strength: 1, hatched: 0 } : paint(shape, box.at);
    context.globalAlpha = strength;
    context.fillStyle = color.startsWith("--") ? Palette.css(color) : color;
    context.fillRect(x, y, w, h);
    context.globalAlpha = 1;
    if (hatched > 0) hatch(context, x + w * (1 - hatched), y, w * hatched, h);
    const found = !box.more && Found.isActive() && Found.has(Nodes.name(shape, box.at));
    if (found || same(box, hover) || (same(box, focus) && document.activeElement === canvas)) {
      context.lineWidth = found || same(box, focus) ? 2 : 1;
      context.strokeStyle = Palette.css(
        same(box, hover) && !same(box, focus) ? "--ink" : found && !same(box, focus) ? "--warn" : "--accent",
      );
      context.strokeRect(x + 1, y + 1, Math.max(1, w - 2), h - 2);
      context.lineWidth = 1;
    }
    if (w < 22) return;
    const name = box.more ? `${Units.grouped(box.more)} more` : Nodes.name(shape, box.at);
    const bytes = box.more || !amount ? Units.bytes(box.bytes) : amount(shape, box.at);
    const text = Canvas.cut(context, name, w - 2 * PAD);
    context.fillStyle = Palette.css("--ink");
    context.fillText(text, x + PAD, y + h / 2 + 0.5);
    const used = context.measureText(`${text}  `).width;
    if (text === name && used + context.measureText(bytes).width <= w - 2 * PAD) {
      context.globalAlpha = 0.8;
      context.fillText(bytes, x + PAD + used, y + h / 2 + 0.5);
      context.globalAlpha = 1;
    }
  };
  const same = (one: Place, other: Place) => one.at === other.at && Boolean(one.more) === Boolean(other.more);

  const draw = () => {
    if (!shape || width === 0) return;
    const levels = boxes.reduce((most, box) => Math.max(most, box.level + 1), 1);
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(levels * ROW * ratio);
    canvas.style.height = `${levels * ROW}px`;
    const context = Dom.drawing(canvas);
    context.scale(ratio, ratio);
    context.font = Palette.font();
    context.textBaseline = "middle";
    for (const box of boxes) drawBox(context, box);
  };

  const lead = () => {
    const line = Nodes.above(shape, root);
    put(
      trail,
      line.map((at, index) => [
        index > 0 && make("span", { class: "faint", "aria-hidden": "true" }, "›"),
        index === line.length - 1
          ? make("b", {}, Nodes.name(shape, at))
          : Dom.button(Nodes.name(shape, at), () => zoom(at), { class: "plain" }),
      ]),
    );
    trail.hidden = line.length === 1;
  };

  const zoom = (at: number, announces = true) => {
    root = at;
    focus = { at };
    lead();
    layout();
    draw();
    if (announces) announceFocus("Zoomed: ");
  };

  const details = (box: Box): { title: string; rows: [string, string][] } => {
    if (box.more)
      return {
        title: `${Units.grouped(box.more)} more below ${Nodes.name(shape, box.at)}`,
        rows: [["total", Units.exact(box.bytes)]],
      };
    return describe(shape, box.at);
  };
  const announceFocus = (first = "") => {
    const box = boxes.find((one) => same(one, focus));
    if (!box) return;
    const { title, rows } = details(box);
    // Only a short text is announced; the tooltip has the other rows.
    Dom.announce(
      `${first}${title}, ${rows
        .filter(([name]) => name !== "exactly" && name !== "parent")
        .map(([name, value]) => (name === "bytes" ? value : `${name} ${value}`))
        .join(", ")}`,
    );
  };

  const at = (event: MouseEvent) => {
    const area = canvas.getBoundingClientRect();
    const [x, level] = [event.clientX - area.left, Math.floor((event.clientY - area.top) / ROW)];
    return boxes.find((box) => box.level === level && x >= box.x && x < box.x + Math.max(box.w, 1));
  };
  const point = (event: MouseEvent) => {
    const box = event.type === "mouseleave" ? null : at(event);
    if (!box) Tooltip.hide();
    else {
      const { title, rows } = details(box);
      Tooltip.show(event.clientX, event.clientY, title, rows);
    }
    canvas.style.cursor = box ? "pointer" : "";
    if ((box ?? NONE) !== hover) {
      hover = box ?? NONE;
      draw();
    }
  };
  canvas.addEventListener("mousemove", point);
  canvas.addEventListener("mouseleave", point);
  canvas.addEventListener("click", (event) => {
    const box = at(event);
    if (!box) return;
    Tooltip.hide();
    zoom(box.at === root && shape.parent[root] >= 0 ? shape.parent[root] : box.at);
  });

  const move = (key: string) => {
    const here = boxes.find((box) => same(box, focus)) ?? boxes[0];
    if (!here) return;
    const level = boxes.filter((box) => box.level === here.level);
    const under = boxes.filter(
      (box) => box.level === here.level + 1 && box.x >= here.x - 0.01 && box.x < here.x + here.w,
    );
    const parent = here.more ? here.at : shape.parent[here.at];
    const next = {
      ArrowLeft: level[level.indexOf(here) - 1],
      ArrowRight: level[level.indexOf(here) + 1],
      ArrowUp: boxes.find((box) => box.at === parent && !box.more),
      ArrowDown: under[0],
      Home: boxes[0],
      End: level[level.length - 1],
    }[key];
    focus = next ?? here;
    draw();
    announceFocus();
  };
  canvas.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !shape) return;
    const up = shape.parent[root];
    if (["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(event.key)) move(event.key);
    else if (event.key === "Enter" || event.key === " ") {
      if (focus.at >= 0) zoom(focus.at);
    } else if ((event.key === "Backspace" || event.key === "Escape") && up >= 0) zoom(up);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  canvas.addEventListener("focus", () => {
    if (focus === NONE) focus = boxes[0] ?? NONE;
    draw();
    announceFocus();
  });
  canvas.addEventListener("blur", draw);

  const fit = () => {
    const now = canvas.clientWidth;
    if (now === width || now === 0 || !shape) return;
    width = now;
    layout();
    draw();
  };
  new ResizeObserver(fit).observe(canvas);

  return {
    element,
    /** Shows a tree. The zoom stays on the same node, or on its nearest ancestor in the new
     * tree. */
    show: (next) => {
      const node = shape ? shape.node[root] : -1;
      shape = next;
      width = canvas.clientWidth;
      zoom(node < 0 ? 0 : Nodes.same(shape, node), false);
      focus = hover = NONE;
    },
    /** Returns the position of a path on the screen, for tests. */
    box: (path) => {
      const area = canvas.getBoundingClientRect();
      const box = boxes.find((box) => !box.more && Nodes.path(shape, box.at) === path);
      return box
        ? { x: area.left + box.x, y: area.top + box.level * ROW, width: box.w, height: ROW, bytes: shape.width[box.at] }
        : null;
    },
  };
};
