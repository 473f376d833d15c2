/** The answer at the top of the page: how much memory grew, which call sites keep growing, and
 * where to look next. Each part links to its place on the page. */

import { announce, button, type Child, make, put } from "./dom";
import * as Found from "./found";
import * as Nodes from "./nodes";
import type { PageData } from "./page_data";
import * as State from "./state";
import * as Units from "./units";

/** The number of call sites that the answer names. */
const MAX_NAMED = 3;

/** A call site that keeps growing. */
export interface Growing {
  place: string;
  bytesPerSecond: number;
  /** The index of its row in the table of call sites. */
  row: number;
}

/** Returns the call sites that keep growing, the fastest first. Each row of the table is a call site. Two call
 * sites may have the same text, for example if neither has a name. */
export const growing = (sites: readonly Pick<Contents.CallSite, "place" | "growth">[]): Growing[] =>
  sites
    .flatMap(({ place, growth }, row) =>
      growth && growth.doubt === null ? [{ place, bytesPerSecond: growth.bytesPerSecond, row }] : [],
    )
    .sort((one, other) => other.bytesPerSecond - one.bytesPerSecond || one.row - other.row);

/** Returns the bytes of the roots and the live bytes of the heap in a snapshot; `null` if unknown. */
export const explained = ({
  waterfall,
}: Pick<Contents.Snapshot, "waterfall">): { roots: number; heap: number } | null => {
  const [roots, rest] = waterfall;
  if (roots?.what !== "the roots' values" || rest?.sign !== "+" || rest.bytes < 0) return null;
  return { roots: roots.bytes, heap: roots.bytes + rest.bytes };
};

/** Opens a pane, and scrolls to it or to one of its rows. */
const go = (pane: string, changes: Partial<State.View> = {}, row?: string) => {
  State.set({ ...changes, pane, find: "" });
  // The pane is drawn before the next frame.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const target = (row && document.getElementById(row)) || document.getElementById(`tab-${pane}`);
      target?.scrollIntoView({ block: row ? "center" : "start" });
      const button = target?.querySelector<HTMLElement>("button.unfold") ?? target;
      if (button?.getAttribute("aria-expanded") === "false") button.click();
      button?.focus({ preventScroll: true });
      announce(target?.textContent ?? "");
    }),
  );
};

const link = (text: Child, title: string, run: () => void) => button(text, run, { class: "plain link", title });

const UNKNOWN_LEAKS = "Growing call sites are unknown";

/** Begins a text with a capital letter. */
const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns the snapshots with a tree whose difference is the growth: the first, and the last before the
 * program freed what grew. */
const compared = ({ growth, snapshots }: PageData): [number, number] | null => {
  if (growth?.what !== "live heap") return null;
  const trees = snapshots.flatMap(({ hasTree, at }, index) => (hasTree && at <= growth.end ? [index] : []));
  return trees.length > 1 ? [trees[0], trees[trees.length - 1]] : null;
};

/** Returns how much memory grew, with a link to the difference of the two trees, which is the same amount. */
const grew = (data: PageData): Child => {
  const { growth, snapshots, residentGrowth } = data;
  if (!growth) return null;
  const amount = (bytes: number, begin: number, end: number) =>
    make("b", {}, `${Units.change(bytes)} in ${Units.span(end - begin)}`);
  const pair = compared(data);
  const [before, after] = (pair ?? []).map((index) => data.tree(index));
  if (!pair || !before || !after || Nodes.isTotalDoubtful(before, after))
    return [amount(growth.bytes, growth.begin, growth.end), ` of ${growth.what}. `];
  const [begin, end] = pair.map((index) => snapshots[index].at);
  const compare = () => go("difference", { before: pair[0], shown: pair[1] });
  // Another growth is above.
  const noun = residentGrowth ? " of the live heap. " : ". ";
  return [link(amount(after.total - before.total, begin, end), "Show what grew", compare), noun];
};

/** Returns which part of the resident memory grows, if it is not the live heap. */
const resident = ({ residentGrowth }: PageData): Child => {
  if (!residentGrowth) return null;
  const [finding, evidence] = residentGrowth;
  return [make("b", {}, `${sentence(finding)}.`), ` ${sentence(evidence)}. `];
};

/** Returns what the leak watch found, as `memprof leaks` prints it. */
export const verdict = ({
  began,
  leakVerdict,
  leaksUnknown,
  summaryAge,
}: Pick<PageData, "began" | "leakVerdict" | "leaksUnknown" | "summaryAge">): string | null => {
  if (began === null) return null;
  const lines = leaksUnknown === null ? leakVerdict : [`${UNKNOWN_LEAKS}: ${leaksUnknown}`];
  const old = summaryAge === null ? [] : [`Call sites and leaks are ${summaryAge}: anything later is unknown`];
  return [...lines, ...old].map((line) => `${sentence(line)}.`).join(" ");
};

const leaks = (data: PageData): Child => {
  const { began, leakVerdict } = data;
  const sites = growing(data.sites);
  if (sites.length === 0) {
    if (began === null) return null;
    const [text, title] =
      leakVerdict.length > 0 ? [sentence(leakVerdict[0]), "Show the evidence"] : [UNKNOWN_LEAKS, "Show the reason"];
    return [link(text, title, () => go("places")), ". "];
  }
  const named = sites
    .slice(0, MAX_NAMED)
    .map((site, index) => [
      index > 0 && "; ",
      link(Found.marked(Found.shortPlace(site.place)), "Show the call site and its call stack", () =>
        go("places", {}, `site-${site.row}`),
      ),
      ` (${Units.change(site.bytesPerSecond)}/s)`,
    ]);
  const rest = sites.length - MAX_NAMED;
  return [
    make("b", {}, leakVerdict[0]),
    ": ",
    named,
    rest > 0 && ["; ", link(`${Units.grouped(rest)} more`, "Show all growing call sites", () => go("places"))],
    ". ",
  ];
};

const roots = (data: PageData): Child => {
  const last = data.snapshots.length - 1;
  const known = last >= 0 ? explained(data.snapshots[last]) : null;
  if (!known || known.heap <= 0) return null;
  const least = data.snapshots[last].rootsAtLeast ? "at least " : "";
  const text = `Roots explain ${least}${Units.percent(known.roots, known.heap)}`;
  return [link(text, "Show the tree at the end", () => go("tree", { shown: last })), " of the live heap at the end. "];
};

const peak = ({ atPeak, sites }: PageData): Child => {
  const held = (site: Contents.CallSite) => site.peak?.value ?? 0;
  const row = sites.reduce((best, site, index) => (held(site) > held(sites[best]) ? index : best), 0);
  if (!atPeak || sites.length === 0 || !(held(sites[row]) > 0)) return null;
  const { place, roots } = sites[row];
  return [
    `At the peak of ${Units.bytes(atPeak.bytes)}, `,
    link(Found.marked(Found.shortPlace(place)), "Show the call site and its call stack", () =>
      go("places", {}, `site-${row}`),
    ),
    ` held ${Units.percent(held(sites[row]), Math.max(atPeak.sampled.value, atPeak.live))}`,
    roots.length > 0 && ` in ${roots[0]}`,
    ". ",
  ];
};

const operation = (data: PageData): Child => {
  const rows = data.operations.filter(({ retained }) => retained !== null && retained.value > 0);
  const most = rows.reduce<Contents.Operation | null>(
    (one, row) => ((one?.retained?.value ?? 0) >= (row.retained?.value ?? 0) ? one : row),
    null,
  );
  if (!most) return null;
  const name = most.path.split(";").join(" › ");
  const show = () => go("operations", { range: null });
  return [
    "The operation ",
    link(Found.short(name), "Show the operations", show),
    ` retains the most: ${Units.estimate(most.retained)}. `,
  ];
};

const pinned = ({ pinned }: PageData): Child => {
  if (!pinned) return null;
  const show = () => go("places", {}, "pinned");
  return [link(Units.estimate(pinned.free), "Show the call sites", show), " is free but pinned by live blocks. "];
};

/** Builds the answer in an element. */
export const build = (data: PageData, element: HTMLElement) => {
  const draw = () => {
    put(element, resident(data), grew(data), leaks(data), peak(data), roots(data), pinned(data), operation(data));
    element.hidden = element.childNodes.length === 0;
  };
  State.on(["units"], draw);
  draw();
};
