/** What is looked for: whether a text has it, and the text with it marked. */
const Found = (() => {
  const has = (text) => text.toLowerCase().includes(State.now.find);
  return {
    /** Whether anything is looked for. */
    wanted: () => State.now.find !== "",
    has,
    /** Pieces for `Dom.make`. */
    marked: (text) => {
      const { find } = State.now;
      const lower = text.toLowerCase();
      // Some letters are two in lower case; then places in one text are not those in the other.
      if (find === "" || lower.length !== text.length || !lower.includes(find)) return [text];
      const pieces = [];
      let from = 0;
      for (let at = lower.indexOf(find); at >= 0; at = lower.indexOf(find, from)) {
        pieces.push(text.slice(from, at), Dom.make("mark", {}, text.slice(at, at + find.length)));
        from = at + find.length;
      }
      return [...pieces, text.slice(from)];
    },
  };
})();
