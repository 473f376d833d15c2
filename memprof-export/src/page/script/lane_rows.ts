/** The positions of lanes: one below the other, thread by thread. */

import type { Lane, Thread } from "./report";

/** The height of a lane, and the space between two threads, in pixels of the page. */
export const ROW = 20;
export const BETWEEN = 8;

export interface Rows {
  /** The lanes from top to bottom. */
  rows: { top: number; lane: Lane }[];
  threads: { top: number; bottom: number; text: string }[];
  /** The height of all lanes. */
  total: number;
}

/** Returns the positions of all lanes. */
export const layOut = (threads: readonly Thread[], lanes: readonly Lane[]): Rows => {
  const all: Rows = { rows: [], threads: [], total: 0 };
  let top = 2;
  for (const { thread, lanes: own } of threads) {
    const begin = top;
    for (const index of own) {
      all.rows.push({ top, lane: lanes[index] });
      top += ROW;
    }
    all.threads.push({ top: begin, bottom: top, text: `thread ${thread}` });
    top += BETWEEN;
  }
  all.total = top;
  return all;
};
