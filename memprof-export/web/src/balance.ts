/** The steps from the roots to the resident memory, as a picture and as a table, and a table of
 * estimates from samples. */

import * as Chooser from "./chooser";
import * as Dom from "./dom";
import { make, put, svg } from "./dom";
import type { Pane } from "./pane";
import type { PageData, Snapshot } from "./report";
import * as Table from "./table";
import * as Units from "./units";

const [STEP, BAR] = [40, 14];

/** Returns the beginning and end of each bar. A sum begins at 0, each other bar at the end of
 * the previous one. */
const bars = (steps: Contents.Step[]) => {
  let sum = 0;
  return steps.map((step) => {
    const from = step.sign === "+" ? sum : 0;
    sum = from + step.bytes;
    return { ...step, from, to: sum };
  });
};

const minus = ({ sign, bytes }: Contents.Step) => (sign === "+" && bytes < 0 ? "−" : sign);
const amount = (step: Contents.Step) => Units.bytes(step.sign === "+" ? Math.abs(step.bytes) : step.bytes);

const picture = (steps: Contents.Step[]) => {
  const all = bars(steps);
  const edges = all.flatMap(({ from, to }) => [from, to]);
  const [low, high] = [Math.min(0, ...edges), Math.max(0, ...edges)];
  const x = (bytes: number) => (high > low ? ((bytes - low) / (high - low)) * 100 : 0);
  const sums = all.filter((step) => step.sign === "=").length;
  let sum = 0;
  const drawn = all.map((step, index) => {
    if (step.sign === "=") sum += 1;
    const kind =
      step.sign === ""
        ? "roots"
        : step.sign === "="
          ? sum === sums && sums > 1
            ? "resident"
            : "heap"
          : step.bytes < 0
            ? "less"
            : "plus";
    const [y, left, width] = [index * STEP, x(Math.min(step.from, step.to)), Math.abs(x(step.to) - x(step.from))];
    return svg("g", { class: kind }, [
      svg("title", {}, `${minus(step)} ${step.what}: ${Units.exact(step.bytes)}`),
      svg("text", { x: 0, y: y + 13 }, `${minus(step) ? `${minus(step)} ` : ""}${step.what}`),
      svg("text", { x: "100%", y: y + 13, "text-anchor": "end", class: "amount" }, amount(step)),
      svg("rect", { x: 0, y: y + 18, width: "100%", height: BAR, class: "track" }),
      svg("rect", { x: `${left}%`, y: y + 18, width: `${width}%`, height: BAR, class: "bar" }),
      index + 1 < all.length &&
        svg("line", { x1: `${x(step.to)}%`, x2: `${x(step.to)}%`, y1: y + 18 + BAR, y2: y + STEP + 18 }),
    ]);
  });
  const hatch = svg(
    "pattern",
    { id: "less", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("rect", { width: 2, height: 6 }),
  );
  return svg(
    "svg",
    {
      class: "waterfall",
      height: all.length * STEP,
      role: "img",
      "aria-label": "Steps from the roots to the resident memory; the table below has the same figures",
    },
    [svg("defs", {}, hatch), drawn],
  );
};

const asTable = () => {
  let whole = 0;
  const table = Table.build<Contents.Step>({
    label: "Steps from the roots to the resident memory",
    columns: [
      {
        title: "step",
        hangs: true,
        text: (row) => `${minus(row) || " "} ${row.what}`,
        cell: (row) => [make("span", { class: "sign" }, minus(row)), row.what],
      },
      { title: "bytes", number: true, text: amount, exact: (row) => Units.exact(row.bytes) },
      {
        title: "exactly",
        number: true,
        narrow: 1,
        text: (row) => Units.exact(row.sign === "+" ? Math.abs(row.bytes) : row.bytes),
      },
      {
        title: "share",
        number: true,
        text: (row) => Units.percent(row.sign === "+" ? Math.abs(row.bytes) : row.bytes, whole),
      },
    ],
  });
  return {
    element: table.element,
    show: (steps: Contents.Step[]) => {
      whole = steps.at(-1)?.bytes ?? 0;
      table.show(steps);
    },
  };
};

const bySamples = () =>
  Table.build<{ what: string; one: Contents.Estimate | null }>({
    label: "Estimates from samples",
    columns: [
      { title: "blocks reached by", text: (row) => row.what },
      {
        title: "live bytes",
        number: true,
        text: (row) => Units.estimate(row.one),
        exact: (row) => row.one && Units.estimate(row.one, Units.exact),
      },
      {
        title: "samples",
        number: true,
        narrow: 1,
        text: (row) => (row.one ? Units.grouped(row.one.samples) : "unknown"),
      },
    ],
  });

const left = ({ waterfall: steps, rootsAtLeast }: Snapshot) => {
  const rest = steps[1];
  if (steps[0]?.sign !== "" || rest?.sign !== "+") return "Unexplained bytes are unknown in this snapshot.";
  if (rest.bytes < 0)
    return [
      make("b", {}, "Unexplained: unknown. "),
      `The roots own ${Units.bytes(-rest.bytes)} more than is live, because bytes that several roots share count in each of them.`,
    ];
  const most = rootsAtLeast ? "at most " : "";
  return [
    make("b", { title: Units.exact(rest.bytes) }, `Unexplained: ${most}${Units.bytes(rest.bytes)}. `),
    rootsAtLeast
      ? "These bytes are live on the heap, and no visited value owns them. A root was visited only in part, so the roots may own more."
      : "These bytes are live on the heap, and no root owns them.",
  ];
};

/** Returns the reason why there is no balance. `others` is true if another snapshot has one,
 * which means that roots are registered. */
const reasonOf = (snapshot: Snapshot, alone: boolean, others: boolean) =>
  alone
    ? "A profile has no figures of the process. The snapshots of a session have them."
    : snapshot.live === null
      ? "Unknown: the heap was not counted, so there is nothing to compare the roots with. To count it, add `#[global_allocator] static ALLOC: memprof::Allocator = memprof::Allocator::system();` to the program."
      : snapshot.missing.length > 0
        ? `Unknown: the total bytes of the roots are not known in this snapshot. Missing: ${snapshot.missing.map(([name, reason]) => `${name || "(no name)"} (${reason})`).join(", ")}. ${others ? "Other snapshots have a balance." : ""}`
        : others
          ? "Unknown: this snapshot was taken before a root was registered."
          : 'Unknown: no root was registered, so there is nothing to compare the heap with. To register one, call `session.root("name", value)`.';

export const build = (report: PageData, element: HTMLElement): Pane => {
  if (report.snapshots.length === 0) {
    put(element, make("p", { class: "empty" }, "No snapshot was taken, so there is no balance."));
    return { keys: [], draw: () => undefined, found: () => 0 };
  }
  const chooser = Chooser.build(report, "Snapshot", "shown", () => true);
  const [sentence, drawing, table, samples] = [make("p", { class: "verdict" }), make("div"), asTable(), bySamples()];
  const other = make("div", {}, [
    make("h3", {}, "Estimates from samples"),
    make(
      "p",
      { class: "faint" },
      "Blocks that a root reaches are explained. If an estimate differs from the figures above by more than its error, a value reports its bytes incorrectly.",
    ),
    samples.element,
  ]);
  put(
    element,
    make("div", { class: "heading" }, chooser.element),
    sentence,
    make("div", { class: "beside" }, [drawing, table.element]),
    other,
  );
  const draw = () => {
    const snapshot = report.snapshots[chooser.draw()];
    const steps = snapshot.waterfall;
    put(
      sentence,
      steps.length > 0
        ? left(snapshot)
        : Dom.prose(
            reasonOf(
              snapshot,
              report.began === null,
              report.snapshots.some((one) => one.waterfall.length > 0),
            ),
          ),
    );
    put(drawing, steps.length > 0 ? picture(steps) : []);
    table.show(steps);
    const rows = [
      { what: "a root", one: snapshot.explained },
      { what: "no root", one: snapshot.unexplained },
      { what: "several roots", one: snapshot.claimedTwice },
    ];
    other.hidden = rows.every((row) => row.one === null);
    samples.show(rows);
  };
  return { keys: ["units", "theme", "shown"], draw, found: () => 0 };
};
