/** The tree of a snapshot, as an icicle and as a table that unfolds, with notes on missing data. */

import * as Chooser from "./chooser";
import * as Dom from "./dom";
import { type Child, make, put } from "./dom";
import * as Found from "./found";
import type { Paint } from "./icicle";
import * as Icicle from "./icicle";
import type { TreeShape } from "./nodes";
import * as Nodes from "./nodes";
import type { Pane } from "./pane";
import { Bound, type PageData, type Snapshot } from "./page_data";
import * as State from "./state";
import * as Table from "./table";
import * as TreeTable from "./tree_table";
import * as Units from "./units";

/** Returns the hue of each node. Below the first node with several children, each child has a
 * hue of its own, which all nodes below that child share. `paint` makes every second level
 * paler. */
const hue = (shape: TreeShape) => {
  shape.hues ??= (() => {
    let at = 0;
    while (Nodes.childCount(shape, at) === 1) [at] = Nodes.children(shape, at);
    const hues = new Int8Array(shape.count).fill(-1);
    // Sorted by node and not by bytes, so that a branch keeps its hue in the next snapshot.
    [...Nodes.children(shape, at)]
      .sort((one, other) => one - other)
      .forEach((one, index) => {
        hues[one] = index % 8;
      });
    for (let one = 1; one < shape.count; one += 1) if (hues[one] < 0) hues[one] = hues[shape.parent[one]];
    return hues;
  })();
  return shape.hues;
};

const paint = (shape: TreeShape, at: number): Paint => {
  const kind = Nodes.kind(shape, at);
  if (kind === Nodes.UNEXPLAINED) return { color: "--paper", strength: 1, hatched: 1 };
  const of = hue(shape)[at];
  if (of < 0 || kind === Nodes.OTHERS) return { color: "--same", strength: 1, hatched: 0 };
  const depth = Nodes.above(shape, at).length;
  return { color: `--series-${of + 1}`, strength: depth % 2 ? 0.36 : 0.26, hatched: 0 };
};

/** The largest number of rows on who keeps shared memory alive. */
const MAX_HOLDERS = 5;

const describe = (shape: TreeShape, at: number): { title: string; rows: [string, string][] } => {
  const rows: [string, string][] = [
    ["bytes", Nodes.amount(shape, at)],
    ["exactly", Nodes.amount(shape, at, Units.exact)],
    ["share", Units.percent(shape.bytes[at], shape.total)],
  ];
  if (!Number.isNaN(shape.allocations[at])) rows.push(["allocations", Units.grouped(shape.allocations[at])]);
  if (shape.parent[at] > 0) rows.push(["parent", Nodes.path(shape, shape.parent[at]).replaceAll(";", " › ")]);
  const held = shape.holders.filter(([node]) => node === shape.node[at]);
  rows.push(...held.slice(0, MAX_HOLDERS).map(([, line]): [string, string] => ["shared", line]));
  return { title: Nodes.name(shape, at), rows };
};

const tensors = () =>
  Table.build<Contents.Tensor>({
    label: "Tensors",
    sort: { key: "bytes", down: true },
    matches: (row: Contents.Tensor) => Found.has(row.path),
    columns: [
      Table.names("path", "tensor", (row: Contents.Tensor) => row.path.split(";")),
      Table.bytes("bytes", "bytes"),
      Table.textColumn("shape", "shape", { narrow: 1 }, (row) => row.shape),
      Table.textColumn("dtype", "type", { narrow: 1 }, (row) => row.dtype),
      Table.textColumn("device", "device", { narrow: 1 }, (row) => row.device),
      Table.textColumn("grad", "gradient", { narrow: 2 }, (row) =>
        row.requiresGrad === null ? "unknown" : row.requiresGrad ? "yes" : "no",
      ),
      Table.textColumn(
        "operation",
        "operation",
        { narrow: 2 },
        (row) => row.operation?.replaceAll(";", " › ") ?? "unknown",
      ),
    ],
  });

/** Returns a text on unexplained bytes, or the reason why they are unknown. */
const unexplained = (data: PageData, shape: TreeShape, snapshot: Snapshot) => {
  if (data.began === null) return "";
  const positions = [...shape.node.keys()].filter((at) => Nodes.kind(shape, at) === Nodes.UNEXPLAINED);
  if (positions.length > 0) {
    const bytes = positions.reduce((sum, at) => sum + shape.bytes[at], 0);
    const bounds = positions.reduce((all, at) => all | shape.bounds[at], 0);
    const hasSites = positions.some((at) => Nodes.childCount(shape, at) > 0);
    return [
      make("b", { title: Units.exact(bytes) }, `Unexplained: ${Units.bounded(bytes, bounds)}`),
      ` (${Units.percent(bytes, shape.total)}), in use, but not explained by a root. `,
      hasSites && "Below it are the call sites, estimated from samples.",
    ];
  }
  return Dom.prose(
    snapshot.live === null
      ? "Unexplained bytes are unknown: the heap was not counted. To count it, add `#[global_allocator] static ALLOC: memprof::Allocator = memprof::Allocator::system();` to the program."
      : snapshot.missing.length > 0
        ? "Unexplained bytes are unknown, because some roots are missing."
        : "Unexplained bytes are unknown in this tree.",
  );
};

/** The colours of the parts that have the same one in each snapshot. Files have one colour, and other parts
 * have colours in order. */
const COLOURS: Readonly<Record<string, string>> = {
  "the roots' values": "roots",
  "live heap": "roots",
  unexplained: "unexplained",
  "the profiler's own": "profiler",
};
const SERIES = 6;

/** Returns the steps from the roots' bytes to the resident memory, as a bar and in words. */
const balance = ({ waterfall: steps, rootsAtLeast, explained, unexplained, claimedTwice }: Snapshot): Child => {
  if (steps.length === 0) return null;
  const parts = steps.filter(({ sign }) => sign !== "=");
  const whole = parts.reduce((sum, { bytes }) => sum + Math.max(0, bytes), 0);
  const fixed = ({ what }: Contents.Step) => COLOURS[what] ?? (/^\/|mapped files$/.test(what) ? "files" : null);
  const others = parts.filter((step) => fixed(step) === null);
  const colour = (step: Contents.Step) => fixed(step) ?? `part-${(others.indexOf(step) % SERIES) + 1}`;
  const amount = ({ what, sign, bytes }: Contents.Step) => {
    const bound = !rootsAtLeast ? 0 : sign === "" ? Bound.LEAST : what === "unexplained" ? Bound.MOST : 0;
    return Units.bounded(sign === "+" ? Math.abs(bytes) : bytes, bound);
  };
  const samples = [
    ["roots reach", explained],
    ["no root reaches", unexplained],
    ["several roots reach", claimedTwice],
  ] as const;
  const known = samples.flatMap(([words, one]) => (one ? [`${words} ${Units.estimate(one)}`] : []));
  return [
    make(
      "div",
      { class: "bar", "aria-hidden": "true" },
      parts.map((step) =>
        make("i", { class: colour(step), style: { "flex-grow": whole > 0 ? Math.max(0, step.bytes) / whole : 0 } }),
      ),
    ),
    make(
      "p",
      { class: "steps" },
      steps.map((step) =>
        make("span", { title: Units.exact(step.bytes) }, [
          step.sign && `${step.sign === "+" && step.bytes < 0 ? "−" : step.sign} `,
          step.sign !== "=" && make("i", { class: `swatch ${colour(step)}`, "aria-hidden": "true" }),
          `${step.what} `,
          make("b", {}, amount(step)),
        ]),
      ),
    ),
    known.length > 0 && make("p", { class: "faint" }, `By samples, ${known.join(", ")}.`),
  ];
};

export const build = (data: PageData, element: HTMLElement): Pane => {
  if (Chooser.nearest(data.snapshots, 0) < 0) {
    put(
      element,
      make(
        "p",
        { class: "empty" },
        Dom.prose(
          data.snapshots.length === 0
            ? "No snapshot was taken, so there is no tree."
            : 'No snapshot in this page has a tree. To record the tree of a value, register it with `session.root("name", value)`.',
        ),
      ),
    );
    return { keys: [], draw: () => undefined, found: () => 0 };
  }
  const chooser = Chooser.build(data, "Snapshot", "shown");
  const device = make("select", { onchange: () => draw() });
  const devices = make("label", {}, [make("span", { class: "faint" }, "Memory"), device]);
  const details = make("input", { type: "checkbox", onchange: () => draw() });
  const verdict = make("p", { class: "verdict" });
  const claims = make("p");
  const steps = make("div", { class: "balance" });
  const missing = make("p", { class: "missing" });
  const icicle = Icicle.build({ label: "Tree of the snapshot", paint, describe, amount: Nodes.amount });
  const table = TreeTable.build("Tree of the snapshot");
  const holders = make("ul");
  const lists = "This snapshot has no list. Lists are recorded at checkpoints, on request and at the end.";
  const unlisted = make("p", { class: "faint" }, lists);
  const shared = make("div", {}, [make("h3", {}, "Who keeps shared memory alive"), unlisted, holders]);
  const listed = tensors();
  const below = make("div", {}, [make("h3", {}, "Tensors"), make("p", { class: "faint" }), listed.element]);
  put(
    element,
    make("div", { class: "heading" }, [
      chooser.element,
      devices,
      make("label", { title: "Show the kinds of bytes: [data], [spare], [table] …" }, [details, "details"]),
    ]),
    verdict,
    claims,
    steps,
    missing,
    icicle.element,
    table.element,
    shared,
    below,
  );

  const treeOf = (index: number) => data.tree(index) ?? Nodes.NO_TREE;
  const shapeOf = (index: number) =>
    Nodes.of(treeOf(index), {
      details: details.checked,
      sites: true,
      device: device.value === "all" || device.value === "" ? null : device.value.slice(1),
    });

  const draw = () => {
    const index = chooser.draw();
    const [snapshot, tree] = [data.snapshots[index], treeOf(index)];
    const all = Nodes.devicesOf(tree);
    devices.hidden = all.length < 2;
    const was = device.value;
    put(
      device,
      make("option", { value: "all" }, "all"),
      all.map((name) => make("option", { value: `@${name}` }, name || "host")),
    );
    device.value = all.includes(was.slice(1)) && was.startsWith("@") ? was : "all";
    const shape = shapeOf(index);
    const later =
      State.now.shown !== index && State.now.shown >= 0
        ? `The page has no tree of the snapshot at ${Units.span(data.snapshots[State.now.shown].at)}. This is the tree of a nearby snapshot. `
        : "";
    put(
      verdict,
      later,
      make("b", { title: Nodes.amount(shape, 0, Units.exact) }, Nodes.amount(shape, 0)),
      ` · ${tree.verdict}`,
    );
    put(claims, unexplained(data, shape, snapshot));
    put(steps, balance(snapshot));
    put(
      missing,
      snapshot.missing.length > 0 && [
        "Missing: ",
        snapshot.missing.map(([name, reason]) => `${name || "(no name)"} (${reason})`).join(", "),
      ],
    );
    missing.hidden = snapshot.missing.length === 0;
    const found = Found.isActive() ? Nodes.search(shape, State.now.find) : null;
    icicle.show(shape);
    table.show(shape, found);
    shared.hidden = !data.hasHolders;
    put(
      holders,
      tree.holders.map(([, line]) => make("li", {}, Found.marked(line))),
    );
    unlisted.hidden = tree.holders.length > 0;
    below.hidden = snapshot.tensorCount === 0 && snapshot.tensors.length === 0;
    below.children[1].textContent =
      snapshot.tensors.length < snapshot.tensorCount
        ? `The ${Units.grouped(snapshot.tensors.length)} largest of ${Units.grouped(snapshot.tensorCount)} tensors.`
        : "";
    listed.show(snapshot.tensors);
  };
  return {
    keys: ["units", "theme", "shown", "find"],
    draw,
    icicle,
    found: () => {
      const index = Chooser.nearest(data.snapshots, State.now.shown);
      return Nodes.search(shapeOf(index), State.now.find).count;
    },
  };
};
