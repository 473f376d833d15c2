/** The search: tests whether a text matches, and marks the match. */

import * as Dom from "./dom";
import * as State from "./state";

export const has = (text: string) => text.toLowerCase().includes(State.now.find);
/** Shortens a name to one line. Titles contain the whole name. */
export const short = (name: string, limit = 60) =>
  name.length > limit ? `${name.slice(0, limit - 20)}…${name.slice(-19)}` : name || "(no name)";

/** Returns the text of a call site, such as `parse (src/parse.rs:41) → push (alloc/src/vec.rs:9)`,
 * with short functions. Files and lines are never cut. */
export const shortPlace = (text: string, limit = 100) =>
  text
    .split(" → ")
    .map((part) => {
      const at = part.endsWith(")") ? part.lastIndexOf(" (") : -1;
      if (at >= 0) return short(part.slice(0, at), limit) + part.slice(at);
      return /:\d+$/.test(part) ? part : short(part, limit);
    })
    .join(" → ");

/** Returns children for `Dom.make`: the text with all matches marked. */
export const marked = (text: string) => {
  const { find } = State.now;
  // A line may break after each part of a path, such as `app::cache` or `src/cache.rs`.
  if (find === "")
    return text.split(/(?<=::|\/)/).flatMap((part, index) => (index > 0 ? [Dom.make("wbr"), part] : [part]));
  const lower = text.toLowerCase();
  // Some letters become two in lower case, and then the positions in both texts differ.
  if (lower.length !== text.length || !lower.includes(find)) return [text];
  const parts = [];
  let from = 0;
  for (let at = lower.indexOf(find); at >= 0; at = lower.indexOf(find, from)) {
    parts.push(text.slice(from, at), Dom.make("mark", {}, text.slice(at, at + find.length)));
    from = at + find.length;
  }
  return [...parts, text.slice(from)];
};

/** Returns `true` if the user searches for anything. */
export const isActive = () => State.now.find !== "";

/** Returns the last name of a path, with the names before it in a faint colour. */
export const path = (frames: readonly string[]) =>
  Dom.make("span", { class: "name" }, [
    frames.length > 1 &&
      Dom.make("span", { class: "faint" }, [
        marked(
          frames
            .slice(0, -1)
            .map((frame) => short(frame))
            .join(" › "),
        ),
        " › ",
      ]),
    marked(short(frames.at(-1) ?? "", frames.length > 1 ? 60 : 160)),
  ]);
