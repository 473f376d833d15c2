/** The only tooltip of the page: a title, and rows of a label and a value. */

import { id, make, put } from "./dom";
import * as Units from "./units";

let shown = "";

/** Shows the tooltip next to a point of the window, on the side with enough space. */
export const show = (x: number, y: number, title: string, rows: [string, string][]) => {
  const box = id("tooltip");
  const text = `${title}\n${rows.join("\n")}`;
  if (text !== shown) {
    shown = text;
    put(
      box,
      make("b", {}, title),
      make(
        "dl",
        {},
        rows.map(([label, value]) => [make("dt", {}, label), make("dd", {}, value)]),
      ),
    );
  }
  box.hidden = false;
  const { width, height } = box.getBoundingClientRect();
  const [right, below] = [document.documentElement.clientWidth, window.innerHeight];
  const left = x + 14 + width <= right - 4 ? x + 14 : Math.max(4, x - 14 - width);
  const top = y + 16 + height <= below - 4 ? y + 16 : Math.max(4, y - 12 - height);
  box.style.setProperty(
    "transform",
    `translate(${Math.round(Math.min(left, Math.max(4, right - width - 4)))}px, ${Math.round(top)}px)`,
  );
};

/** Formats an amount in short and in exact form. */
export const bytes = (amount: number | null) => {
  const [short, exact] = [Units.bytes(amount), Units.exact(amount)];
  return short === exact ? exact : `${short} · ${exact}`;
};

export const hide = () => {
  id("tooltip").hidden = true;
};

window.addEventListener("scroll", hide, { passive: true });
