/** The choice of a snapshot: a list, with buttons for the previous and the next one. */

import * as Dom from "./dom";
import { make, put } from "./dom";
import type { PageData, Snapshot } from "./page_data";
import * as State from "./state";
import * as Units from "./units";

/** Returns the reason for a snapshot. A snapshot that a peak caused is not always at the highest
 * peak. */
export const reason = ({ trigger, peak }: Snapshot) => (peak ? "peak" : trigger === "peak" ? "peak so far" : trigger);

/** Describes a snapshot in a few words: `peak, 12.3 s, 59.8 MiB`. */
export const describe = (snapshot: Snapshot) => {
  const name = snapshot.name === null ? reason(snapshot) : `${snapshot.name || "(no name)"} (${reason(snapshot)})`;
  const bytes = snapshot.live ?? snapshot.resident;
  return `${name}, ${Units.span(snapshot.at)}${bytes === null ? "" : `, ${Units.bytes(bytes)}`}`;
};

/** Returns the index of the last snapshot with a tree up to this one. If there is none, returns the first
 * snapshot with a tree, or -1. */
export const nearest = (snapshots: Snapshot[], index: number) => {
  for (let at = Math.min(index, snapshots.length - 1); at >= 0; at -= 1) if (snapshots[at].hasTree) return at;
  return snapshots.findIndex(({ hasTree }) => hasTree);
};

/** Builds a chooser. `key` is the entry of `State.now` that it sets. */
export const build = (data: PageData, label: string, key: "shown" | "before") => {
  const all = data.snapshots.flatMap(({ hasTree }, index) => (hasTree ? [index] : []));
  const select = make("select", { onchange: () => State.set({ [key]: Number(select.value) }) });
  const step = (by: number, sign: string, title: string) =>
    Dom.button(
      sign,
      () => {
        const next = all[all.indexOf(Number(select.value)) + by];
        if (next === undefined) return;
        State.set({ [key]: next });
        Dom.announce(describe(data.snapshots[next]));
      },
      { title, "aria-label": title },
    );
  const [back, on] = [step(-1, "‹", "Previous snapshot"), step(1, "›", "Next snapshot")];
  let units: Contents.UnitsName | null = null;
  return {
    element: make("span", { class: "chooser", hidden: data.began === null }, [
      make("label", {}, [make("span", { class: "faint" }, label), select]),
      back,
      on,
    ]),
    /** Updates the list and returns the index of the chosen snapshot, or -1 if there is none. */
    draw: () => {
      if (units !== State.now.units)
        put(
          select,
          all.map((index) => make("option", { value: index }, describe(data.snapshots[index]))),
        );
      units = State.now.units;
      const index = nearest(data.snapshots, State.now[key]);
      select.value = String(index);
      back.disabled = index === all[0];
      on.disabled = index === all[all.length - 1];
      return index;
    },
  };
};
