/** The places in the code that hold memory or keep growing, each with its call stack. */

import { verdict } from "./answer";
import * as Dom from "./dom";
import { make, put } from "./dom";
import * as Found from "./found";
import type { Pane } from "./pane";
import * as Peak from "./peak";
import type { PageData } from "./report";
import * as Table from "./table";
import * as Units from "./units";

/** Formats bytes per time. An amount of less than a byte is not shown as 0. */
const pace = (bytes: number) =>
  bytes !== 0 && Math.abs(bytes) < 1
    ? `${bytes > 0 ? "+" : "−"}${Math.abs(bytes).toFixed(2)}\u00a0B`
    : Units.change(bytes);
const errorText = (one: Contents.Estimate) =>
  `${Units.estimate(one, Units.exact)}, from ${Units.grouped(one.samples)} samples`;
const within = (names: string[]) => (names.length > 0 ? names.join(" › ") : "outside operations");

/** A row of any of the tables. */
interface Site {
  place: string;
}

interface Inside {
  operation: string[];
}

const place = <Row extends Site>(): Table.Column<Row> => ({
  ...Table.textColumn<Row>("place", "call site", {}, (row) => row.place),
  exact: (row) => row.place,
  cell: (row) => make("span", { class: "name" }, Found.marked(Found.shortPlace(row.place))),
});
const inside = <Row extends Inside>(more: { narrow?: number } = {}) =>
  Table.textColumn<Row>("operation", "operation", more, (row) => within(row.operation));

/** Returns a column of estimates of bytes. */
const estimate = <Row>(
  key: string,
  title: string,
  of: (row: Row) => Contents.Estimate | null,
  narrow?: number,
): Table.Column<Row> => ({
  key,
  title,
  number: true,
  narrow,
  text: (row) => Units.estimate(of(row)),
  value: (row) => of(row)?.value ?? null,
  exact: (row) => {
    const one = of(row);
    return one && errorText(one);
  },
});
const live = <Row extends { live: Contents.Estimate }>(narrow?: number) =>
  estimate<Row>("live", "live", (row) => row.live, narrow);

const rounded = (amount: number) => Units.grouped(Math.round(amount));
const count = <Row extends { blocks: Contents.Estimate }>(narrow: number): Table.Column<Row> => ({
  key: "blocks",
  title: "blocks",
  number: true,
  narrow,
  value: (row) => row.blocks.value,
  text: ({ blocks }) => Units.estimate(blocks, rounded),
});
const share = <Row extends { live: Contents.Estimate }>(rows: Row[], total?: number): Table.Column<Row> => {
  const bytes = (row: Row) => Math.max(0, row.live.value);
  const all = total ?? rows.reduce((sum, row) => sum + bytes(row), 0);
  const text = (row: Row) => Units.percent(bytes(row), all);
  return {
    title: "share",
    narrow: 2,
    number: true,
    text,
    cell: (row) =>
      make("span", { class: "share", style: { "--part": all > 0 ? Math.min(1, bytes(row) / all) : 0 } }, text(row)),
  };
};

const ms = (amount: number) => (amount < 1 ? "less than 1\u00a0ms" : Units.span(amount * 1e6));

/** Formats the details of a mean lifetime. */
const lifetimeText = ({ intervalMs, samples }: Contents.Lifetime): string => {
  const interval = intervalMs && `, 95\u00a0% interval ${intervalMs.map(ms).join(" to ")}`;
  return `from ${Units.counted(samples, "freed block")} among the samples${interval ?? ""}`;
};

/** Returns the column of lifetimes. It is empty if the file has none. */
const lifetime = (rows: Contents.Site[]): Table.Column<Contents.Site>[] =>
  rows.every((row) => row.lifetime === null)
    ? []
    : [
        {
          key: "lifetime",
          title: "lifetime",
          hint: "How long blocks lived until they were freed, as a mean over bytes: a large block counts for more than a small one. A reallocation counts as a free. Live blocks are not included.",
          number: true,
          narrow: 1,
          value: (row) => row.lifetime?.meanMs,
          text: (row) => (row.lifetime ? ms(row.lifetime.meanMs) : "–"),
          exact: (row) => (row.lifetime ? lifetimeText(row.lifetime) : "No sampled block was freed."),
        },
      ];

/** Returns the details of a row: sentences about it, and its call stack. */
const details = (about: string[], frames: string[]) =>
  about.length + frames.length === 0
    ? null
    : make("div", {}, [
        ...about.map((text) => make("p", { class: "faint" }, Found.marked(text))),
        frames.length > 0 &&
          make(
            "ol",
            { class: "stack" },
            frames.map((frame) => make("li", {}, Found.marked(frame || "(no name)"))),
          ),
      ]);

/** The parts of a table whose rows unfold. */
interface Linked<Row> {
  /** Returns the call stack of a row. */
  frames?: (row: Row) => string[];
  /** Returns the sentences above the call stack. */
  about?: (row: Row) => string[];
  /** The beginning of the rows' ids, which end with the number of the row. */
  id?: string;
}

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
  about: string | null,
  columns: Table.Column<Row>[],
  names: (row: Row) => string[],
  { frames, about: above, id }: Linked<Row> = {},
): Part => {
  const hidden = (row: Row) => [...(above?.(row) ?? []), ...(frames?.(row) ?? [])];
  const matches = (row: Row) => Found.has([...names(row), ...hidden(row)].filter(Boolean).join(" "));
  const key = columns.find((column) => column.number)?.key ?? "";
  const table = Table.build<Row>({
    label: title,
    columns,
    sort: { key, down: true },
    open: frames && ((row) => details(above?.(row) ?? [], frames(row))),
    id: id === undefined ? undefined : (row) => `${id}-${rows.indexOf(row)}`,
    matches,
  });
  return {
    element: make("section", {}, [make("h3", {}, title), about && make("p", { class: "faint" }, about), table.element]),
    show: () => table.show(rows),
    found: () => rows.filter(matches).length,
  };
};

/** Returns sentences on the part of the peak that the stacks have, and on the call sites that are
 * not listed. */
const peakNotes = (peak: Contents.AtPeak): string | null => {
  const { more, other } = peak;
  const rest = more > 0 && `${Units.counted(more, "more call site")} held ${Units.estimate(other)}.`;
  return [Peak.part(peak), rest].filter(Boolean).join(" ") || null;
};

const aboutLeak = ({ heldBy, freedAtEnd }: Contents.Leak): string[] =>
  freedAtEnd ? [...heldBy, "The program freed more than half of it before the recording ended."] : heldBy;

/** Returns the columns of call sites that grew. */
const growthOf = (more: Table.Column<Contents.Leak>[]): Table.Column<Contents.Leak>[] => [
  place(),
  ...more,
  inside({ narrow: 1 }),
  Table.figures("bytesPerSecond", "per second", pace, { exact: Units.exact }),
  Table.figures("bytesPerCall", "per call", pace, { exact: Units.exact, narrow: 1, absent: "–" }),
  Table.textColumn("interval", "95\u00a0% interval", { narrow: 1 }, (row) =>
    row.bytesPerSecondInterval.map((bytes) => Units.bytes(bytes)).join(" to "),
  ),
  live(2),
];

const parts = (report: PageData): Part[] => {
  const made: Part[] = [];
  const add = <Row>(
    rows: Row[],
    ...more: [string, string | null, Table.Column<Row>[], (row: Row) => string[], Linked<Row>?]
  ) => {
    if (rows.length > 0) made.push(part(rows, ...more));
  };
  const grew = (
    rows: Contents.Leak[],
    title: string,
    about: string,
    more: Table.Column<Contents.Leak>[],
    id?: string,
  ) =>
    add(rows, title, about, growthOf(more), (row) => [row.place, row.doubt ?? "", ...row.operation], {
      frames: (row) => row.stack,
      about: aboutLeak,
      id,
    });
  grew(
    report.leaks,
    "Growing call sites",
    "Call sites whose live bytes keep growing. In 95 of 100 cases the true growth per second is within the 95\u00a0% interval.",
    [],
    "leak",
  );
  grew(report.uncertain, "Uncertain growth", "Call sites that grew, but are not certain to keep growing.", [
    Table.textColumn("doubt", "doubt", {}, (row) => row.doubt ?? ""),
  ]);
  grew(
    report.replaced,
    "Replaced blocks",
    "Call sites that grew by more than the process. Their new blocks replace old ones, which were never sampled.",
    [],
  );
  const { atPeak } = report;
  if (atPeak !== null)
    add(
      atPeak.sites,
      Peak.title(atPeak),
      peakNotes(atPeak),
      [
        place(),
        live(),
        share(atPeak.sites, atPeak.live),
        Table.textColumn("roots", "roots", { narrow: 1 }, (row) => row.roots.join(", ")),
        inside({ narrow: 1 }),
        count(2),
      ],
      (row) => [row.place, ...row.operation, ...row.roots],
      { frames: (row) => row.stack, id: "peak" },
    );
  const others = [
    "Each call site has the line of your code in its largest call stack. Its other call stacks may have other lines.",
    report.otherSites && `Live bytes of the call sites that are not listed: ${Units.estimate(report.otherSites)}.`,
  ];
  const sites = (rows: Contents.Site[]): Table.Column<Contents.Site>[] => [
    place(),
    live(),
    share(rows),
    count(2),
    estimate("allocated", "allocated", (row) => row.allocated, 1),
    ...lifetime(rows),
  ];
  add(
    report.sites,
    "Live bytes by call site",
    others.filter(Boolean).join(" "),
    sites(report.sites),
    (row) => [row.place],
    {
      frames: (row) => row.stack,
    },
  );
  add(
    report.unexplained,
    "Unexplained bytes by call site",
    report.snapshots.at(-1)?.rootsAtLeast
      ? "Live blocks that no visited value reaches. A root was visited only in part."
      : "Live blocks that no root reaches.",
    sites(report.unexplained),
    (row) => [row.place],
    { frames: (row) => row.stack },
  );
  add(
    report.unexplainedOperations,
    "Unexplained bytes by operation",
    null,
    [inside(), live(), count(1)],
    (row) => row.operation,
  );
  add(
    report.claimedTwice,
    "Claimed by two roots",
    "Blocks that both roots reach. Their bytes count in both.",
    [Table.textColumn("roots", "roots", {}, (row) => row.roots.join(" and ")), live()],
    (row) => row.roots,
  );
  add(
    report.largestBlocks,
    "Largest blocks",
    "The largest sampled blocks that are live.",
    [
      place(),
      inside({ narrow: 1 }),
      Table.bytes("bytes", "bytes"),
      Table.figures("ageNs", "age", Units.span, { narrow: 1 }),
    ],
    (row) => [row.place, ...row.operation],
  );
  return made;
};

export const build = (report: PageData, element: HTMLElement): Pane => {
  const all = parts(report);
  const counted = report.snapshots.some((snapshot) => snapshot.live !== null);
  const sampled =
    report.snapshots.some((snapshot) => snapshot.explained !== null) ||
    report.operations.some((row) => row.retained !== null);
  const none =
    report.began === null
      ? "A profile has no call sites. A session that samples the heap records them."
      : counted && !report.summedUp
        ? "Call sites and leaks are unknown: the file ends before they were written."
        : sampled
          ? "No sampled block is live."
          : counted
            ? "Call sites and leaks are unknown: no samples were taken. To sample the heap, set `.level(memprof::heap::Level::Sampled)`, or `MEMPROF_LEVEL=sampled` in the environment."
            : "Call sites and leaks are unknown: the heap was not counted. To count it, add `#[global_allocator] static ALLOC: memprof::Allocator = memprof::Allocator::system();` to the program and sample the heap.";
  const found = verdict(report);
  put(
    element,
    (all.length > 0 || report.leaksUnknown === null) && found && make("p", {}, found),
    all.length === 0 ? make("p", { class: "empty" }, Dom.prose(none)) : all.map((one) => one.element),
  );
  return {
    keys: ["units", "find"],
    draw: () => {
      for (const one of all) one.show();
    },
    found: () => all.reduce((sum, one) => sum + one.found(), 0),
  };
};
