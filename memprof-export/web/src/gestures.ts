/** Wheel, drag, pinch and click on a canvas, translated into zoom, pan, select and point. */

import * as Axis from "./axis";
import * as State from "./state";

/** Converts the amount of a wheel event to pixels. Its unit may be pixels, lines or pages. */
const pixels = (event: WheelEvent, amount: number) =>
  amount * (event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1);

/** Handles the wheel at a time of the axis. */
export const wheel = (event: WheelEvent, ns: number) => {
  const [across, down] = [pixels(event, event.deltaX), pixels(event, event.deltaY)];
  // The plain wheel scrolls the page, so that a user who scrolls past does not get stuck here.
  if (event.ctrlKey || event.metaKey) Axis.zoom(Math.exp(Math.max(-30, Math.min(30, down)) * 0.01), ns);
  else if (event.shiftKey) Axis.pan((across || down) * Axis.perPixel());
  else if (Math.abs(across) > Math.abs(down)) Axis.pan(across * Axis.perPixel());
  else return;
  event.preventDefault();
};

/** The handlers of gestures on an element. */
export interface Handlers {
  /** Runs while the pointer is over the element. */
  move(x: number, y: number, event: PointerEvent): void;
  leave(): void;
  click(x: number, y: number, event: PointerEvent): void;
  double?(x: number, y: number): void;
  /** Runs for vertical drags. */
  scroll?(pixels: number): void;
}

/** A gesture that has begun. */
type Drag =
  | { kind: "pinch"; width: number; time: number; span: number; moved: boolean }
  | { kind: "range" | "pan"; x: number; y: number; lastX: number; lastY: number; time: number; moved: boolean };

/** Attaches handlers to an element. */
export const attach = (element: HTMLElement, on: Handlers) => {
  const fingers = new Map<number, number>();
  let drag: Drag | null = null;
  const at = (event: MouseEvent): [number, number] => {
    const box = element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const spread = () => {
    const [one, other] = [...fingers.values()];
    return { width: Math.max(12, Math.abs(one - other)), middle: (one + other) / 2 };
  };

  element.addEventListener("wheel", (event) => wheel(event, Axis.time(at(event)[0])), { passive: false });
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const [x, y] = at(event);
    fingers.set(event.pointerId, x);
    element.setPointerCapture(event.pointerId);
    if (fingers.size === 2) {
      const { width, middle } = spread();
      drag = { kind: "pinch", width, time: Axis.time(middle), span: State.now.to - State.now.from, moved: true };
    } else
      drag = { kind: event.shiftKey ? "range" : "pan", x, y, lastX: x, lastY: y, time: Axis.time(x), moved: false };
  });
  element.addEventListener("pointermove", (event) => {
    const [x, y] = at(event);
    if (!drag || !fingers.has(event.pointerId)) {
      if (event.pointerType !== "touch") on.move(x, y, event);
      return;
    }
    fingers.set(event.pointerId, x);
    if (drag.kind === "pinch") {
      if (fingers.size < 2) return;
      const { width, middle } = spread();
      const span = Math.min(Axis.end(), drag.span * (drag.width / width));
      const from = drag.time - span * ((middle - Axis.place.left) / Axis.plot());
      Axis.setView(from, from + span);
      return;
    }
    if (!drag.moved) {
      if (Math.abs(x - drag.x) + Math.abs(y - drag.y) <= 4) return;
      drag.moved = true;
      on.leave();
    }
    if (drag.kind === "range") Axis.select(drag.time, Axis.time(x));
    else {
      Axis.pan((drag.lastX - x) * Axis.perPixel());
      if (on.scroll && event.pointerType !== "touch") on.scroll(drag.lastY - y);
    }
    Object.assign(drag, { lastX: x, lastY: y });
  });
  const end = (event: PointerEvent) => {
    if (!fingers.delete(event.pointerId)) return;
    if (event.type === "pointerup" && drag && !drag.moved) on.click(...at(event), event);
    if (fingers.size === 0 || drag?.kind === "pinch") drag = null;
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
  element.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch") on.leave();
  });
  element.addEventListener("dblclick", (event) => on.double?.(...at(event)));
};
