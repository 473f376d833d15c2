/** The peak of live bytes in figures and words. Its call stacks may have been recorded when fewer bytes
 * were live. */

import * as Units from "./units";

/** The peak in figures: the bytes, and the part of them that the largest call site held. */
export const figures = ({ live, highest, sites }: Contents.AtPeak): { bytes: number; part: number } | null => {
  const bytes = highest === null ? live : Math.max(live, highest);
  if (live <= 0 || sites.length === 0) return null;
  return { bytes, part: Math.min(1, Math.max(0, sites[0].live.value) / live) };
};

type Moment = Pick<Contents.AtPeak, "at" | "live" | "highest">;

/** Returns `true` if the two amounts differ as they are shown. */
const differs = ({ live, highest }: Moment) => highest !== null && Units.bytes(highest) !== Units.bytes(live);

/** Returns the texts next to the mark of the peak in the chart, the longest first. A narrow chart has
 * the second one. */
export const marks = (peak: Moment) => {
  const live = Units.bytes(peak.live);
  const highest = Units.bytes(peak.highest);
  return differs(peak) ? [`peak ${highest}, stacks at ${live}`, `stacks at ${live}`] : [`peak ${live}`];
};

/** Returns the title of the call sites at the peak. */
export const title = (peak: Moment) => {
  const [live, at] = [Units.bytes(peak.live), Units.span(peak.at)];
  return differs(peak)
    ? `At the peak of ${Units.bytes(peak.highest)}: stacks at ${at}, when ${live} were live`
    : `At the peak: ${live} at ${at}`;
};

/** Returns a sentence on the part of the peak that the stacks have, if they lack some of it. */
export const part = (peak: Moment) =>
  peak.highest !== null && differs(peak)
    ? `These stacks have ${Units.percent(peak.live, peak.highest)} of the highest live bytes.`
    : null;
