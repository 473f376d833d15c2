/** The call sites that grew or hold memory, each with its call stack, and the largest blocks. */

import { verdict } from "./answer";
import * as Dom from "./dom";
import { make, put } from "./dom";
import * as Found from "./found";
import type { Pane } from "./pane";
import type { PageData } from "./page_data";
import * as Table from "./table";
import * as Units from "./units";

type Site = Contents.CallSite;

const UNKNOWN_TYPE = "of unknown type";

/** Formats bytes per time. An amount of less than a byte is not shown as 0. */
const pace = (bytes: number) =>
  bytes !== 0 && Math.abs(bytes) < 1
    ? `${bytes > 0 ? "+" : "−"}${Math.abs(bytes).toFixed(2)}\u00a0B`
    : Units.change(bytes);
const OUTSIDE = "outside operations";
const within = (names: string[]) => (names.length > 0 ? names.join(" › ") : OUTSIDE);
const ms = (amount: number) => (amount < 1 ? "less than 1\u00a0ms" : Units.span(amount * 1e6));

const place = <Row extends { place: string }>(): Table.Column<Row> => ({
  ...Table.textColumn<Row>("place", "call site", {}, (row) => row.place),
  exact: (row) => row.place,
  cell: (row) => make("span", { class: "name" }, Found.marked(Found.shortPlace(row.place))),
});
const operation = <Row extends { operation: string[] }>(narrow = 1): Table.Column<Row> =>
  Table.textColumn<Row>("operation", "operation", { narrow }, (row) => within(row.operation));

const roots = <Row extends { roots: string[] }>(narrow: number): Table.Column<Row> =>
  Table.textColumn<Row>("roots", "roots", { narrow }, (row) => row.roots.join(", ") || Table.NONE);

/** Returns a column of shares of a whole. */
const share = <Row>(of: (row: Row) => number, whole: number): Table.Column<Row> => ({
  key: "share",
  title: "share",
  number: true,
  text: (row) => Units.percent(of(row), whole),
  value: of,
});

const interval = ([low, high]: [number, number]) => `${Units.bytes(low)} to ${Units.bytes(high)}`;

/** Returns the column of growth. A call site that may not keep growing has its doubt. */
const growth: Table.Column<Site> = {
  key: "growth",
  title: "growth per second",
  number: true,
  hint: "In 95 of 100 cases, the true growth is within the interval. Call sites with a doubt may not keep growing.",
  // Call sites with a doubt come after those without.
  value: ({ growth }) => growth && growth.bytesPerSecond - (growth.doubt === null ? 0 : Number.MAX_SAFE_INTEGER),
  text: ({ growth }) => (growth ? pace(growth.bytesPerSecond) + (growth.doubt ? `, ${growth.doubt}` : "") : Table.NONE),
  cell: ({ growth }) => {
    if (!growth) return Table.NONE;
    return [
      growth.doubt === null ? make("b", { class: "grown" }, pace(growth.bytesPerSecond)) : pace(growth.bytesPerSecond),
      make("small", { class: "faint" }, growth.doubt ?? interval(growth.interval)),
    ];
  },
  exact: ({ growth }) => growth && `95\u00a0% interval: ${interval(growth.interval)} per second`,
};

const lifetime: Table.Column<Site> = {
  key: "lifetime",
  title: "lifetime",
  hint: "How long blocks lived until they were freed, averaged over bytes: a large block counts for more than a small one. A reallocation counts as a free. Live blocks are not included.",
  number: true,
  narrow: 2,
  value: ({ lifetime }) => lifetime?.meanMs,
  text: ({ lifetime }) => (lifetime ? ms(lifetime.meanMs) : Table.NONE),
  exact: ({ lifetime }) => {
    if (!lifetime) return "No sampled block was freed.";
    const { samples, intervalMs } = lifetime;
    const range = intervalMs && `, 95\u00a0% interval ${intervalMs.map(ms).join(" to ")}`;
    return `from ${Units.counted(samples, "freed block")} among the samples${range ?? ""}`;
  },
};

/** Returns the columns of call sites for which the recording has any figure. */
const columns = (sites: Site[], isUnread: boolean): Table.Column<Site>[] => {
  const unexplained = isUnread
    ? "Live bytes at the end that no visited value reaches. A root was visited only in part."
    : "Live bytes at the end that no root reaches";
  const all: Table.Column<Site>[] = [
    growth,
    Table.estimate("peak", "at the peak", { hint: "Live bytes at the peak", narrow: 1 }),
    Table.estimate("live", "live", { hint: "Live bytes at the end" }),
    Table.estimate("unexplained", "unexplained", { hint: unexplained, narrow: 2 }),
    Table.estimate("allocated", "allocated", { hint: "Bytes allocated in total", narrow: 2 }),
    lifetime,
    roots(2),
    operation(2),
  ];
  const isKnown = ({ text }: Table.Column<Site>) => sites.some((site) => ![Table.NONE, OUTSIDE].includes(text(site)));
  return [place(), ...all.filter(isKnown)];
};

/** Returns the sentences above the call stack of a call site. */
const about = ({ growth, blocks }: Site): string[] => [
  ...(growth?.heldBy ?? []),
  ...(growth?.freedAtEnd ? ["The program freed more than half of it before the recording ended."] : []),
  ...(growth && growth.bytesPerCall !== null ? [`It grows by ${pace(growth.bytesPerCall)} per call.`] : []),
  ...(blocks ? [`Live blocks: ${Units.estimate(blocks, (count) => Units.grouped(Math.round(count ?? 0)))}.`] : []),
];

const details = (site: Site) =>
  make("div", {}, [
    ...about(site).map((text) => make("p", { class: "faint" }, Found.marked(text))),
    site.stack.length > 0 &&
      make(
        "ol",
        { class: "stack" },
        site.stack.map((frame) => make("li", {}, Found.marked(frame || "(no name)"))),
      ),
  ]);

/** Returns sentences about the figures of the table. */
const notes = ({ atPeak, otherSites }: PageData): string => {
  const peak = atPeak && Units.percent(atPeak.live, atPeak.bytes);
  const rest =
    atPeak && atPeak.more > 0 && `${Units.counted(atPeak.more, "more call site")}: ${Units.estimate(atPeak.other)}.`;
  return [
    "Stacks with the same line of your code are one call site.",
    atPeak && `At the peak: the stacks recorded at ${Units.span(atPeak.at)}, which account for ${peak} of the peak.`,
    rest,
    otherSites && `Live bytes of call sites that are not listed: ${Units.estimate(otherSites)}.`,
  ]
    .filter(Boolean)
    .join(" ");
};

/** Returns a sentence about the memory that live blocks pin. */
const pinnedMemory = ({ at, free, trimmable }: Contents.Pinned): string =>
  `${Units.estimate(free)} is free but pinned by live blocks, at ${Units.span(at)}; trimming returns at most ${Units.bytes(trimmable)}.`;

/** A table with its rows. */
interface Part {
  element: HTMLElement;
  show(): void;
  /** Returns the number of rows that match the search. */
  found(): number;
}

const part = <Row>(
  rows: Row[],
  title: string,
  sentences: () => string,
  words: (row: Row) => string[],
  more: Pick<Table.Parts<Row>, "columns" | "sort" | "open" | "id">,
  id?: string,
): Part => {
  const matches = (row: Row) => Found.has(words(row).join(" "));
  const table = Table.build<Row>({ label: title, matches, ...more });
  const note = make("p", { class: "faint" });
  return {
    // The page moves the focus to a section that has an id.
    element: make("section", {}, [make("h3", { id, tabindex: id && -1 }, title), note, table.element]),
    show: () => {
      note.textContent = sentences();
      table.show(rows);
    },
    found: () => rows.filter(matches).length,
  };
};

const parts = (data: PageData): Part[] => {
  const { sites, atPeak, pinned, claimedTwice, largestBlocks } = data;
  const isUnread = data.snapshots.at(-1)?.rootsAtLeast ?? false;
  const all = columns(sites, isUnread);
  const first = all.find(({ number }) => number)?.key ?? "place";
  const made: (Part | false)[] = [
    sites.length > 0 &&
      part(
        sites,
        "Call sites",
        () => notes(data),
        (site) => [
          site.place,
          ...site.operation,
          ...site.roots,
          site.growth?.doubt ?? "",
          ...about(site),
          ...site.stack,
        ],
        {
          columns: all,
          sort: { key: first, down: true },
          open: (site) => (about(site).length + site.stack.length > 0 ? details(site) : null),
          id: (site) => `site-${sites.indexOf(site)}`,
        },
      ),
    atPeak !== null &&
      atPeak.types.length > 0 &&
      part(
        atPeak.types,
        "By type",
        () => "Live bytes at the peak, by the type of their values.",
        ({ name }) => [name ?? UNKNOWN_TYPE],
        {
          columns: [
            Table.names("name", "type", ({ name }) => [name ?? UNKNOWN_TYPE]),
            Table.estimate("live", "live"),
            share(({ live }) => live.value, Math.max(atPeak.sampled.value, atPeak.live)),
          ],
          sort: { key: "live", down: true },
        },
      ),
    pinned !== null &&
      part(
        pinned.sites,
        "Pinned memory",
        () => pinnedMemory(pinned),
        (site) => [site.place, ...site.operation, ...site.roots],
        {
          columns: [
            { ...place(), title: "blocks of" },
            share(({ free }) => free.value, pinned.free.value),
            {
              key: "returned",
              title: "freeing returns",
              hint: "The bytes that the system gets back if the blocks are freed and the allocator is then trimmed. Pages with blocks of other call sites may stay resident.",
              number: true,
              text: ({ returned }) => interval(returned),
              value: ({ returned }) => returned[0],
            },
            roots(1),
            operation(2),
          ],
          sort: { key: "share", down: true },
        },
        "pinned",
      ),
    claimedTwice.length > 0 &&
      part(
        claimedTwice,
        "Claimed by two roots",
        () => "Blocks that both roots reach. Their bytes count in both.",
        ({ roots }) => roots,
        {
          columns: [
            Table.textColumn("roots", "roots", {}, ({ roots }) => roots.join(" and ")),
            Table.estimate("live", "live"),
          ],
          sort: { key: "live", down: true },
        },
      ),
    largestBlocks.length > 0 &&
      part(
        largestBlocks,
        "Largest blocks",
        () => "The largest sampled blocks that are live at the end.",
        (block) => [block.place, ...block.operation],
        {
          columns: [
            place(),
            operation(),
            Table.bytes("bytes", "bytes"),
            Table.figures("ageNs", "age", Units.span, { narrow: 1 }),
          ],
          sort: { key: "bytes", down: true },
        },
      ),
  ];
  return made.filter((one) => one !== false);
};

/** Returns the reason why there are no call sites. */
const reason = (data: PageData): string => {
  const isCounted = data.snapshots.some(({ live }) => live !== null);
  const isSampled =
    data.snapshots.some(({ explained }) => explained !== null) ||
    data.operations.some(({ retained }) => retained !== null);
  if (data.began === null) return "A profile has no call sites. A session that samples the heap records them.";
  if (isCounted && !data.summedUp) return "Call sites and leaks are unknown: the file ends before they were written.";
  if (isSampled) return "No sampled block is live.";
  return isCounted
    ? "Call sites and leaks are unknown: no samples were taken. To sample the heap, set `.level(memprof::heap::Level::Sampled)`, or `MEMPROF_LEVEL=sampled` in the environment."
    : "Call sites and leaks are unknown: the heap was not counted. To count it, add `#[global_allocator] static ALLOC: memprof::Allocator = memprof::Allocator::system();` to the program and sample the heap.";
};

export const build = (data: PageData, element: HTMLElement): Pane => {
  const all = parts(data);
  const found = verdict(data);
  put(
    element,
    (all.length > 0 || data.leaksUnknown === null) && found && make("p", {}, found),
    all.length === 0 ? make("p", { class: "empty" }, Dom.prose(reason(data))) : all.map((one) => one.element),
  );
  return {
    keys: ["units", "find"],
    draw: () => {
      for (const one of all) one.show();
    },
    found: () => all.reduce((sum, one) => sum + one.found(), 0),
  };
};
