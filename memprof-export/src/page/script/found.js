/** What is looked for: whether a text has it, and the text with it marked. */
const Found = (() => {
  const has = (text) => text.toLowerCase().includes(State.now.find);
  /** A name that isn't longer than a line; all of it goes where there is a title. */
  const short = (name, most = 60) => (name.length > most ? `${name.slice(0, most - 20)}…${name.slice(-19)}` : name || "(no name)");

  /** Pieces for `Dom.make`: the text with what is looked for marked. */
  const marked = (text) => {
    const { find } = State.now;
    // Paths of code break after their parts.
    if (find === "") return text.split(/(?<=::|\/)/).flatMap((part, index) => (index > 0 ? [Dom.make("wbr"), part] : [part]));
    const lower = text.toLowerCase();
    // Some letters are two in lower case; then places in one text are not those in the other.
    if (lower.length !== text.length || !lower.includes(find)) return [text];
    const pieces = [];
    let from = 0;
    for (let at = lower.indexOf(find); at >= 0; at = lower.indexOf(find, from)) {
      pieces.push(text.slice(from, at), Dom.make("mark", {}, text.slice(at, at + find.length)));
      from = at + find.length;
    }
    return [...pieces, text.slice(from)];
  };

  return {
    /** Whether anything is looked for. */
    wanted: () => State.now.find !== "",
    has,
    marked, short,
    /** The last name of a path, and faintly what it is in. */
    path: (frames) => Dom.make("span", { class: "name" }, [
      frames.length > 1 && Dom.make("span", { class: "faint" }, [marked(frames.slice(0, -1).map((frame) => short(frame)).join(" › ")), " › "]), marked(short(frames.at(-1), frames.length > 1 ? 60 : 160))]),
  };
})();
