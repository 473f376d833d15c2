/** Tables as text: aligned columns on the clipboard, or as a selected text if the frame has no
 * clipboard. */

import * as Dom from "./dom";
import { make } from "./dom";

/** Returns lines of cells with two spaces between columns. `right` is true for columns of
 * figures. */
export const aligned = (rows: string[][], right: boolean[]) => {
  const plain = rows.map((row) => row.map((cell) => cell.replaceAll("\u00a0", " ")));
  const widths = right.map((_, column) => Math.max(0, ...plain.map((row) => [...(row[column] ?? "")].length)));
  return plain
    .map((row) =>
      row
        .map((cell, column) => {
          const padding = " ".repeat(Math.max(0, widths[column] - [...cell].length));
          return right[column] ? padding + cell : cell + padding;
        })
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
};

/** Creates a button that copies the result of `text`. */
export const button = (text: () => string) => {
  const field = make("textarea", {
    readonly: true,
    rows: 8,
    hidden: true,
    "aria-label": "The table as text",
    spellcheck: "false",
  });
  const status = make("span", { class: "faint" });
  const done = () => {
    field.hidden = true;
    status.textContent = "Copied.";
    Dom.announce("Copied");
  };
  const byHand = () => {
    status.textContent = "This frame cannot use the clipboard. The text is selected: copy it with your system's keys.";
    Dom.announce(status.textContent);
    field.select();
  };
  const run = () => {
    field.value = text();
    field.hidden = false;
    field.select();
    // Sandboxed frames allow only the older function; the newer one fails there.
    if (document.execCommand("copy")) return done();
    const write = navigator.clipboard?.writeText(field.value);
    if (write) write.then(done, byHand);
    else byHand();
  };
  return make("span", { class: "copy" }, [Dom.button("Copy as text", run), status, field]);
};
