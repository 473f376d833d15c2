/** The positions of lanes: one below the other, thread by thread. */

import type { Lane, Thread } from "./page_data";

/** The height of a lane, and the space between two threads, in pixels of the page. */
export const ROW = 20;
export const BETWEEN = 8;

/** The number of lanes that are shown at first. */
export const FEW = 12;

/** The text beside the lanes of a thread. If there is little space, only the name is cut. */
export interface ThreadLabel {
  name: string;
  /** The number of the thread if other threads have the same name; empty otherwise. */
  number: string;
}

/** Returns the labels of threads, in their order. */
export const labels = (threads: readonly Thread[]): ThreadLabel[] => {
  const counts = new Map<string, number>();
  for (const { name } of threads) if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  return threads.map(({ number, name }) => {
    if (name === null) return { name: `thread ${number}`, number: "" };
    return { name, number: (counts.get(name) ?? 0) > 1 ? ` ${number}` : "" };
  });
};

export interface Rows {
  /** The lanes from top to bottom. */
  rows: { top: number; lane: Lane }[];
  threads: { top: number; bottom: number; label: ThreadLabel }[];
  /** The height of all lanes. */
  total: number;
  /** The number of lanes that are not shown. */
  hidden: number;
}

/** Returns the order in which a thread's lanes are chosen; `Infinity` for lanes that only show
 * more calls of an operation which already has a lane. */
const ranks = (own: readonly number[], lanes: readonly Lane[]): number[] => {
  const seen = new Set<number>();
  return own.map((index, at) => {
    const { operation } = lanes[index];
    if (operation === null) return at;
    if (seen.has(operation)) return Infinity;
    seen.add(operation);
    return seen.size - 1;
  });
};

/** Returns the few lanes that are shown at first: the first lane of each thread, then the second
 * ones, and so on. */
const chosen = (threads: readonly Thread[], lanes: readonly Lane[]): Set<number> => {
  const ranked = threads.flatMap(({ lanes: own }) => {
    const of = ranks(own, lanes);
    return own.map((index, at) => ({ index, rank: of[at] }));
  });
  const first = ranked
    .filter(({ rank }) => rank < Infinity)
    .sort((one, other) => one.rank - other.rank || one.index - other.index);
  return new Set(first.slice(0, FEW).map(({ index }) => index));
};

/** Returns the positions of lanes: of few lanes, or of all. A single hidden lane is not worth a
 * button. */
export const layOut = (threads: readonly Thread[], lanes: readonly Lane[], shows: "few" | "all"): Rows => {
  const few = chosen(threads, lanes);
  const isShown = (index: number) => shows === "all" || lanes.length <= few.size + 1 || few.has(index);
  const all: Rows = { rows: [], threads: [], total: 0, hidden: 0 };
  const texts = labels(threads);
  let top = 2;
  for (const [index, { lanes: own }] of threads.entries()) {
    const shown = own.filter(isShown);
    all.hidden += own.length - shown.length;
    if (shown.length === 0) continue;
    const begin = top;
    for (const lane of shown) {
      all.rows.push({ top, lane: lanes[lane] });
      top += ROW;
    }
    all.threads.push({ top: begin, bottom: top, label: texts[index] });
    top += BETWEEN;
  }
  all.total = top;
  return all;
};
