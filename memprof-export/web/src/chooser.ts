/** The choice of a snapshot: a list, with buttons for the previous and the next one. */

import * as Dom from "./dom";
import { make, put } from "./dom";
import type { PageData, Snapshot } from "./report";
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

/** Returns the index of the last snapshot up to this one for which `has` is true. If there is
 * none, returns the first such snapshot, or -1. */
export const nearest = (snapshots: Snapshot[], index: number, has = (snapshot: Snapshot) => snapshot.hasTree) => {
  for (let at = Math.min(index, snapshots.length - 1); at >= 0; at -= 1) if (has(snapshots[at])) return at;
  return snapshots.findIndex(has);
};

/** Builds a chooser. `key` is the entry of `State.now` that it sets. */
export const build = (
  report: PageData,
  label: string,
  key: "shown" | "before",
  has = (snapshot: Snapshot) => snapshot.hasTree,
) => {
  const all = report.snapshots.flatMap((snapshot, index) => (has(snapshot) ? [index] : []));
  const select = make("select", { onchange: () => State.set({ [key]: Number(select.value) }) });
  const step = (by: number, sign: string, title: string) =>
    make(
      "button",
      {
        type: "button",
        title,
        "aria-label": title,
        onclick: () => {
          const next = all[all.indexOf(Number(select.value)) + by];
          if (next === undefined) return;
          State.set({ [key]: next });
          Dom.announce(describe(report.snapshots[next]));
        },
      },
      sign,
    );
  const [back, on] = [step(-1, "‹", "Previous snapshot"), step(1, "›", "Next snapshot")];
  let units: Contents.UnitsName | null = null;
  return {
    element: make("span", { class: "chooser", hidden: report.began === null }, [
      make("label", {}, [make("span", { class: "faint" }, label), select]),
      back,
      on,
    ]),
    count: all.length,
    /** Updates the list and returns the index of the chosen snapshot, or -1 if there is none. */
    draw: () => {
      if (units !== State.now.units)
        put(
          select,
          all.map((index) => make("option", { value: index }, describe(report.snapshots[index]))),
        );
      units = State.now.units;
      const index = nearest(report.snapshots, State.now[key], has);
      select.value = String(index);
      back.disabled = index === all[0];
      on.disabled = index === all[all.length - 1];
      return index;
    },
  };
};
