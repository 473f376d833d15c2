/** The type of a pane below the time axis. */

import type { Key } from "./state";

/** The content of a pane. */
export interface Pane {
  /** The entries of the state whose changes make the pane stale. */
  keys: Key[];
  draw(): void;
  /** Returns the number of names that match the search. */
  found(): number;
  icicle?: { box(path: string): object | null };
}
