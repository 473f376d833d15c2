/** Sentences about the figures of a chart that are unknown, or known only in part. */

import type { Chart } from "./page_data";
import * as Units from "./units";

/** The number of reasons and names that a sentence lists. */
const MAX_REASONS = 3;

const quoted = (names: string[]) =>
  names.length <= MAX_REASONS ? names.map((name) => `“${name}”`).join(", ") : `${Units.grouped(names.length)} curves`;

/** Returns up to three reasons in brackets, or an empty text if there are none. */
const because = (reasons: string[]) => {
  const all = [...new Set(reasons)].filter(Boolean);
  return all.length > 0 ? ` (${all.slice(0, MAX_REASONS).join(", ")}${all.length > MAX_REASONS ? ", …" : ""})` : "";
};

/** Returns sentences on the unknown figures of a chart: gaps in curves, and curves without any known
 * value. */
export const sentences = ({ curves, unknown: others }: Pick<Chart, "curves" | "unknown">): string[] => {
  // A curve that begins later, such as that of a root registered later, has no gap before it.
  const broken = curves.filter(({ values }) => {
    const first = values.findIndex((value) => !Number.isNaN(value));
    return first >= 0 && values.subarray(first).some(Number.isNaN);
  });
  const why = because(broken.flatMap(({ gaps }) => gaps.map(([, reason]) => reason)));
  const never = others.map(([name]) => name);
  const least = curves.some(({ style }) => style === "least");
  return [
    broken.length > 0 && `Gaps: not measured${why}.`,
    never.length > 0 && `Never measured: ${quoted(never)}${because(others.map(([, reason]) => reason))}.`,
    least && "Dashed curves “at least”: the bytes of the values that were visited.",
  ].filter((text) => text !== false);
};
