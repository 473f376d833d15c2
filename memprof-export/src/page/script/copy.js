/** Tables as text to take along: aligned columns on the clipboard, or selected where a frame has none. */
const Copy = (() => {
  const { make } = Dom;

  /** Lines of cells with two spaces between; `right` says which columns are figures. */
  const aligned = (rows, right) => {
    const plain = rows.map((row) => row.map((cell) => cell.replaceAll("\u00a0", " ")));
    const widths = right.map((_, column) => Math.max(0, ...plain.map((row) => [...(row[column] ?? "")].length)));
    return plain.map((row) => row.map((cell, column) => {
      const room = " ".repeat(Math.max(0, widths[column] - [...cell].length));
      return right[column] ? room + cell : cell + room;
    }).join("  ").trimEnd()).join("\n");
  };

  /** A button that copies what `text` makes. */
  const button = (text) => {
    const field = make("textarea", { readonly: true, rows: 8, hidden: true, "aria-label": "The table as text", spellcheck: "false" });
    const said = make("span", { class: "faint" });
    const done = () => { field.hidden = true; said.textContent = "Copied."; Dom.announce("Copied"); };
    const byHand = () => {
      said.textContent = "This frame has no clipboard: the text is selected, copy it with the keys of your system.";
      Dom.announce(said.textContent);
      field.select();
    };
    const run = () => {
      field.value = text();
      field.hidden = false;
      field.select();
      // The older way is allowed in sandboxed frames, where the other one is an error.
      if (document.execCommand("copy")) return done();
      const write = navigator.clipboard?.writeText(field.value);
      if (write) write.then(done, byHand); else byHand();
    };
    return make("span", { class: "copy" }, [make("button", { type: "button", onclick: run }, "Copy as text"), said, field]);
  };

  return { aligned, button };
})();
