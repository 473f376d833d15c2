/**
 * Recordings made by hand. The figures of `everything` follow formulas, so that the tests can
 * compute the expected ones.
 */

import { createWriteStream, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MIB = 2 ** 20;
const SECOND = 1e9;

/** Returns a generator of pseudo-random numbers, which are the same each time. */
const chance = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

/** Returns a profile in the form of docs/format.md: `{name: {…} | [[kind, bytes, device?], …]}`. */
const profile = (name, tree, origin) => {
  const branches = [];
  const add = (parent, name, part) => {
    const at = branches.length;
    const branch = { parent, name, bytes: 0 };
    branches.push(branch);
    if (Array.isArray(part)) {
      branch.leaves = part.map(([kind, bytes, device]) => ({ kind, bytes, ...(device ? { device } : {}) }));
      branch.bytes = part.reduce((sum, leaf) => sum + leaf[1], 0);
      if (!origin) branch.counts = { allocations: part.length };
    } else {
      for (const key of Object.keys(part).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))) {
        branch.bytes += add(at, key, part[key]);
      }
    }
    return branch.bytes;
  };
  const total_bytes = add(null, name, tree);
  const shared = { allocations: 0, handles: 0, bytes: 0, bytes_if_unshared: total_bytes, externally_held_bytes: 0 };
  const values = origin ? { origin } : { shallow_bytes: 0, shared };
  return { format: "memprof profile", version: 1, total_bytes, exact: !origin, ...values, branches };
};

const estimate = (value, samples = 40) => ({ value, standard_error: value / Math.sqrt(samples), samples });
const place = (name, file, line) => ({ function: name, file, line });
const ALLOC = "/rustc/5980/library/alloc/src/raw_vec/mod.rs";

const metadata = (program, duration, snapshots, more) => ({
  program,
  pid: 4711,
  memprof: "0.1.0",
  platform: "linux x86_64",
  started_unix_ns: 1795249800e9,
  generated_at: "2026-11-21T08:31:00Z",
  generated_ns: duration,
  interval_ns: SECOND / 4,
  snapshots,
  operations_tracked: true,
  ended: "finished",
  ...more,
});

const heapOf = (live, peak = Math.max(0, live)) => {
  const allocated = Math.abs(live) * 9 + MIB;
  return {
    level: "sampled",
    counted_ns: null,
    live_bytes: live,
    profiler_bytes: 180000,
    profiler_peak_bytes: 180000,
    live_blocks: 20000,
    allocated_bytes: allocated,
    allocated_blocks: 180000,
    freed_bytes: allocated - live - 180000,
    freed_blocks: 160000,
    peak_bytes: peak,
    peak_error_bytes: 65536,
  };
};

const bare = (number, at_ns, trigger, live, more) => ({
  number,
  at_ns,
  trigger,
  heap: live === null ? null : heapOf(live),
  process: {},
  profiler: { snapshot_ns: 1000 },
  tensor_count: 0,
  devices: [],
  roots: [],
  ...more,
});

const COLUMNS = [
  "path",
  "thread",
  "start_ns",
  "end_ns",
  "net_bytes",
  "before_bytes",
  "after_bytes",
  "tensor_net_bytes",
];

/** The evidence of a session that was too short to find a leak. */
const leak_watch = {
  verdict: "unknown",
  observations: 1,
  watched_ns: 0,
  process_bytes: 0,
  process_bytes_per_second: null,
  smallest_found_bytes_per_second: null,
};

const report = ({
  metadata,
  snapshots,
  paths = [],
  threads = [],
  calls = [],
  outOfMemory = [],
  stacks = [],
  liveStacks = [],
  summary = { leak_watch },
}) =>
  JSON.stringify({
    format: "memprof session",
    version: 1,
    metadata,
    snapshots,
    operation_paths: paths,
    thread_names: threads,
    operation_events: { columns: COLUMNS, rows: calls },
    out_of_memory: outOfMemory,
    stacks,
    live_stacks: liveStacks,
    summary,
  });

/** Returns the live bytes of `everything` at a time. */
export const held = (seconds) => ({
  cache: Math.round((2 + seconds * 0.6) * MIB),
  model: seconds >= 2 ? 12 * MIB : 0,
  net: seconds >= 3 ? 18 * MIB : 0,
  scratch: Math.round((seconds % 10) * 1.5 * MIB),
  get live() {
    return this.cache + this.model + this.scratch + 5 * MIB;
  },
});

const everything = () => {
  const snapshots = [];
  let peak = 0;
  for (let number = 0; number <= 240; number++) {
    const seconds = number / 4;
    const at = held(seconds);
    peak = Math.max(peak, at.live);
    const name = number === 12 ? "after_load" : number === 120 ? "warm" : number === 122 ? "warm again" : undefined;
    const root = (name, tree, heap) => {
      const one = profile(name, tree);
      return {
        name,
        state: "profiled",
        held_ns: 100,
        total_bytes: one.total_bytes,
        heap_bytes: heap ?? one.total_bytes,
        profile: one,
      };
    };
    const roots = [
      root("cache", {
        entries: {
          key: [
            ["[data]", at.cache >> 2],
            ["[spare]", 4096],
          ],
          value: [["[data]", at.cache - (at.cache >> 2) - 4096]],
        },
      }),
    ];
    if (at.model)
      roots.push(
        root("model", {
          matrix: {
            values: [["[data]", 8 * MIB]],
            columns: [
              ["[data]", 3 * MIB],
              ["[spare]", MIB / 2],
            ],
          },
          names: [
            ["[inline]", 4096],
            ["[data]", MIB / 2 - 4096],
          ],
        }),
      );
    if (at.net)
      roots.push(
        root("net", { embedding: [["[data]", 16 * MIB, "cuda:0"]], output: [["[data]", 2 * MIB, "cuda:0"]] }, 0),
      );
    if (number % 24 === 5)
      roots.push({ name: "queue", state: "locked", held_ns: 0, total_bytes: null, heap_bytes: null });
    const used = at.net + 600 * MIB;
    const gpu = profile(
      "gpu",
      {
        "cuda:0": {
          free: [["[data]", 8192 * MIB - used, "cuda:0"]],
          used: {
            process: { attributed: [["[data]", at.net, "cuda:0"]], unattributed: [["[data]", 400 * MIB, "cuda:0"]] },
            other_processes: [["[data]", 200 * MIB, "cuda:0"]],
          },
        },
      },
      "counters",
    );
    const pool = profile(
      "pool",
      { free: [["[data]", 4 * MIB - ((number % 8) * MIB) / 4]], active: [["[data]", ((number % 8) * MIB) / 4]] },
      "counters",
    );
    const tensors = at.net
      ? [
          {
            path: "net;embedding",
            dtype: "f32",
            shape: [4096, 1024],
            bytes: 16 * MIB,
            requires_grad: false,
            operation: ["load", "net"],
          },
          {
            path: "net;output",
            dtype: "f32",
            shape: [1024, 512],
            bytes: 2 * MIB,
            requires_grad: true,
            operation: ["load", "net"],
          },
        ]
      : [];
    const onHeap = at.cache + at.model;
    snapshots.push({
      number,
      at_ns: seconds * SECOND,
      trigger: number === 0 ? "start" : number === 240 ? "end" : name ? "checkpoint" : "interval",
      name,
      heap: heapOf(at.live, peak),
      process: {
        rss_bytes: at.live + 20 * MIB,
        rss_anonymous_bytes: at.live + 8 * MIB,
        rss_file_bytes: 12 * MIB,
        rss_shared_bytes: 0,
        rss_peak_bytes: 96 * MIB,
        swap_bytes: 0,
        cgroup_usage_bytes: at.live + 22 * MIB,
        cgroup_limit_bytes: 512 * MIB,
      },
      profiler: { snapshot_ns: 2100000, cpu_ns: 60900000, heap_bytes: 180000 },
      tensor_count: tensors.length,
      devices: [{ device: "cpu", bytes: onHeap }, ...(at.net ? [{ device: "cuda:0", bytes: at.net, tensors }] : [])],
      roots,
      sources: [
        number >= 100 && number < 110
          ? { name: "gpu", error: "the driver did not answer" }
          : {
              name: "gpu",
              profile: gpu,
              gauges: [
                { name: "cuda:0 temperature", unit: "celsius", value: 40 + (number % 20) },
                { name: "cuda:0 power", unit: "milliwatts", value: null, reason: "no permission" },
              ],
            },
        { name: "pool", profile: pool },
      ],
      reconciliation: {
        live_bytes: at.live + 180000,
        profiler_bytes: 180000,
        roots_bytes: onHeap,
        roots_exact: true,
        explained: estimate(onHeap, 400),
        unexplained: estimate(at.live - onHeap, 60),
        claimed_twice: estimate(MIB, 8),
      },
    });
  }
  const names = [
    ["load"],
    ["load", "parse"],
    ["load", "net"],
    ["serve"],
    ["serve", "handle"],
    ["serve", "handle", "render"],
    ["expire"],
  ];
  const parents = [null, 0, 0, null, 3, 4, null];
  const paths = names.map((names, path) => ({
    path,
    names,
    parent: parents[path],
    file: "src/main.rs",
    line: 10 + path,
  }));
  const calls = [];
  const call = (path, thread, start, end, delta) =>
    calls.push(
      [
        path,
        thread,
        start * SECOND,
        end * SECOND,
        delta,
        held(start).live,
        held(start).live + delta,
        path === 2 ? 18 * MIB : null,
      ].map((one, at) => (at > 1 && at < 4 ? Math.round(one) : one)),
    );
  call(1, 1, 1, 2, 9 * MIB);
  call(2, 1, 2.2, 3, MIB / 2);
  call(0, 1, 0.5, 3.2, 13 * MIB);
  const next = chance(7);
  for (let at = 4; at < 59; at += 0.25) {
    const thread = 1 + Math.floor(next() * 4);
    const long = 0.1 + next() * 0.13;
    call(5, thread, at + long * 0.4, at + long * 0.7, 0);
    call(4, thread, at + long * 0.1, at + long * 0.9, 40000);
    call(3, thread, at, at + long, 48000);
  }
  // Two calls that overlap, like calls of futures.
  call(6, 2, 20, 20.5, -200000);
  call(6, 2, 20.3, 20.9, -100000);
  const row = (path, calls, total, more) => ({
    path: names[path],
    file: "src/main.rs",
    line: 10 + path,
    calls,
    allocated_bytes: Math.abs(total) * 3,
    allocated_blocks: calls * 9,
    freed_bytes: Math.abs(total) * 3 - total,
    freed_blocks: calls * 7,
    own_allocated_bytes: Math.abs(total),
    net_bytes: total,
    average_net_bytes: total / calls,
    max_net_bytes: total,
    peak_bytes: Math.abs(total) * 2,
    before_bytes: 1e6,
    after_bytes: 2e6,
    wall_time: { calls, total_ns: calls * 1e8, longest_ns: 2.3e8 },
    retained: estimate(Math.max(0, total)),
    retained_blocks: estimate(calls),
    ...more,
  });
  const stack = [
    place("importer::cache::Cache::insert", "src/cache.rs", 41),
    place("importer::serve::handle", "src/serve.rs", 88),
    place("importer::main", "src/main.rs", 31),
  ];
  const doubtful = (doubt, place, pace) => ({
    place,
    operation: ["serve"],
    bytes_per_second: pace,
    bytes_per_call: null,
    bytes_per_second_interval: [pace / 2, pace * 2],
    live: estimate(60 * pace, 9),
    live_blocks: estimate(60, 9),
    stack: [place],
    doubt,
  });
  const summary = {
    operations: [
      row(0, 1, 13 * MIB),
      row(1, 1, 9 * MIB),
      row(2, 1, MIB / 2),
      row(3, 220, 220 * 48000),
      row(4, 220, 220 * 40000),
      row(5, 220, 0, { retained: null }),
      row(6, 2, -300000),
    ],
    framework_operations: [
      {
        name: "matmul",
        calls: 220,
        cpu_ns: { calls: 220, total: 8.12e8, max: 9e6 },
        device_ns: { calls: 220, total: 4.1e9, max: 4e7 },
        cpu_bytes: null,
        device_bytes: { calls: 220, total: 781 * MIB, max: 4 * MIB },
        shapes: [
          [64, 1024],
          [1024, 512],
        ],
      },
    ],
    sites: [
      {
        place: stack[0],
        live: estimate(37 * MIB, 300),
        live_blocks: estimate(9472, 300),
        allocated: estimate(80 * MIB, 300),
        lifetime: { mean_ms: 4200, standard_error_ms: 100, samples: 250 },
        stack,
      },
      {
        place: place("core::str::<impl str>::to_owned", "/rustc/0123456789/library/alloc/src/str.rs", 211),
        live: estimate(5 * MIB),
        live_blocks: estimate(1024),
        allocated: null,
        lifetime: { mean_ms: 0.4, standard_error_ms: 0.1, samples: 9 },
        stack: stack.slice(1),
      },
      {
        place: place(null, null, null),
        live: estimate(MIB, 9),
        live_blocks: estimate(3, 9),
        allocated: null,
        stack: [],
      },
    ],
    other_sites: estimate(2 * MIB, 20),
    largest_blocks: [{ bytes: 8 * MIB, age_ns: 58 * SECOND, operation: ["load", "parse"], place: stack[1] }],
    leaks: [
      {
        place: stack[0],
        operation: ["serve", "handle"],
        bytes_per_second: 0.6 * MIB,
        bytes_per_call: 6144,
        bytes_per_second_interval: [1, 2],
        live: estimate(36 * MIB, 300),
        live_blocks: estimate(9472, 300),
        stack,
      },
    ],
    doubtful_leaks: [
      doubtful("unsteady", stack[1], 4096),
      doubtful("few_samples", place("importer::log", "src/log.rs", 7), 1024),
      doubtful("replaced", place("importer::pool", "src/pool.rs", 3), MIB),
    ],
    leak_watch: {
      verdict: "leaks",
      observations: 60,
      watched_ns: 59.5 * SECOND,
      process_bytes: 36 * MIB,
      process_bytes_per_second: 0.6 * MIB,
      smallest_found_bytes_per_second: 40960,
    },
    unexplained_sites: [
      {
        place: place("regex::Regex::new", "src/parse.rs", 9),
        live: estimate(3 * MIB),
        live_blocks: estimate(12),
        allocated: null,
        stack: stack.slice(1),
      },
    ],
    unexplained_operations: [
      { operation: ["load", "parse"], live: estimate(3 * MIB), live_blocks: estimate(12) },
      { operation: [], live: estimate(2 * MIB), live_blocks: estimate(9) },
    ],
    claimed_twice: [{ roots: ["cache", "model"], live: estimate(MIB, 8) }],
    dropped_events: { not_recorded: 0, over_cap: 3017, kept_from_ns: 1000000, kept_from_bytes: 4096 },
    warnings: ["signal SIGUSR1 is handled by the program itself: no snapshot is taken when it comes"],
  };
  // Two threads have the same name, and the last one's is unknown.
  const threads = ["main", "tokio-runtime-w", "tokio-runtime-w"].map((name, at) => ({ thread: at + 1, name }));
  return report({
    metadata: metadata("importer", 60 * SECOND, 241),
    snapshots,
    paths,
    threads,
    calls,
    outOfMemory: [{ at_ns: 41.5 * SECOND, requested_bytes: 2 ** 33, heap: null }],
    summary,
  });
};

/** Names that try to act as markup, code, or other text. */
const HOSTILE = [
  "</script><script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<!--",
  "]]>",
  '"><svg onload=alert(1)>',
  "javascript:alert(1)",
  "'\"`;--",
  "{{title}}",
  "$&$1",
  "\u202egnp.exe",
  "a\u2066b\u2069",
  "\u0000\u0001\u001b[31mred\u009b",
  "line\u2028separator\u2029\u0085",
  "\ufeff\ufffe",
  "__proto__",
  "constructor",
  "toString",
  "",
  " ",
  "名前 é 👩‍🚀",
  "ﷺ".repeat(300),
  "W".repeat(100000),
  "a;b;c",
  "values 42",
  "%s%n",
  "\\u003cscript\\u003e",
];

const hostile = () => {
  const tree = Object.fromEntries(
    HOSTILE.map((name, at) => [`${name}`, { [HOSTILE[(at + 1) % HOSTILE.length]]: [["[data]", 1000 + at]] }]).filter(
      ([name]) => name !== "__proto__",
    ),
  );
  const one = profile(HOSTILE[0], tree);
  const snapshots = [0, 1, 2].map((number) =>
    bare(number, number * SECOND, ["start", "checkpoint", "end"][number], 40000 + number, {
      name: number === 1 ? HOSTILE[1] : undefined,
      process: { rss_bytes: 90000 },
      resident: {
        number: number + 1,
        took_ns: 1,
        resident_bytes: 90000,
        threads: 1,
        parts: [{ kind: "allocator_free", bytes: 64 * MIB }],
      },
      roots: [
        {
          name: HOSTILE[0],
          state: "profiled",
          held_ns: 1,
          total_bytes: one.total_bytes,
          heap_bytes: one.total_bytes,
          profile: one,
        },
        { name: HOSTILE[9], state: "locked", held_ns: 0, total_bytes: null, heap_bytes: null },
      ],
      sources: [
        { name: HOSTILE[4], error: HOSTILE[1] },
        { name: HOSTILE[10], gauges: [{ name: HOSTILE[2], unit: HOSTILE[3], value: 7 }] },
      ],
      devices: [
        {
          device: HOSTILE[1],
          bytes: 3,
          tensors: [
            { path: HOSTILE[0], dtype: HOSTILE[4], shape: [1], bytes: 3, requires_grad: null, operation: [HOSTILE[5]] },
          ],
        },
      ],
    }),
  );
  const paths = HOSTILE.map((name, path) => ({
    path,
    names: [name, HOSTILE[0]],
    parent: null,
    file: HOSTILE[1],
    line: 1,
  }));
  const calls = HOSTILE.map((_, path) => [
    path,
    1 + (path % 2),
    path * 5e7,
    path * 5e7 + 4e7,
    path * 100,
    0,
    path * 100,
    null,
  ]);
  const threads = [HOSTILE[0], HOSTILE[9]].map((name, at) => ({ thread: at + 1, name }));
  const free = estimate(MIB);
  const frames = HOSTILE.flatMap((name, at) => [
    { ...place(`alloc::raw_vec::RawVec<${name}>::grow_one`, ALLOC, 1), address: 100 + at },
    { ...place(name, name, 1), address: 200 + at },
  ]);
  const stack = HOSTILE.map((name) => place(name, name, 1));
  const site = (at) => ({ place: stack[at], live: estimate(1000), live_blocks: estimate(1), allocated: null, stack });
  const summary = {
    operations: HOSTILE.map((name, at) => ({
      path: [name],
      file: name,
      line: 1,
      calls: 1,
      allocated_bytes: at,
      allocated_blocks: 1,
      freed_bytes: 0,
      freed_blocks: 0,
      own_allocated_bytes: at,
      net_bytes: at,
      average_net_bytes: at,
      max_net_bytes: at,
      peak_bytes: at,
      before_bytes: null,
      after_bytes: null,
      wall_time: null,
      retained: null,
      retained_blocks: null,
    })),
    framework_operations: [
      { name: HOSTILE[0], calls: 1, cpu_ns: null, device_ns: null, cpu_bytes: null, device_bytes: null, shapes: null },
    ],
    sites: [site(0), site(1), site(9)],
    largest_blocks: [{ bytes: 9, age_ns: 1, operation: [HOSTILE[1]], place: stack[0] }],
    leaks: [
      {
        ...site(4),
        operation: [HOSTILE[0]],
        bytes_per_second: 1,
        bytes_per_call: null,
        bytes_per_second_interval: [1, 2],
      },
    ],
    unexplained_operations: [{ operation: [HOSTILE[1]], live: estimate(1), live_blocks: estimate(1) }],
    claimed_twice: [{ roots: [HOSTILE[0], HOSTILE[1]], live: estimate(1) }],
    warnings: [HOSTILE[0], HOSTILE[9]],
  };
  return report({
    metadata: metadata(HOSTILE[0], 2 * SECOND, 3, {
      platform: HOSTILE[1],
      memprof: HOSTILE[4],
      generated_at: HOSTILE[0],
    }),
    snapshots,
    paths,
    threads,
    calls,
    stacks: [{ addresses: HOSTILE.map((_, at) => [at, 100 + at, 200 + at]), frames }],
    liveStacks: [
      {
        at_ns: 2 * SECOND,
        trigger: "end",
        snapshot: 2,
        live_bytes: 40000,
        root_names: HOSTILE,
        rows: HOSTILE.map((_, at) => [at, at, at, 1000, 1, 1, 0, 9]),
        pinned: HOSTILE.map((_, at) => ({ stack: at, root: at, free, alone: free, shared: free })),
      },
    ],
    summary,
  });
};

/** Writes a million calls on sixteen threads: nested, like calls of a service, or in random
 * order. */
const writeMillion = (file, isRandom) => {
  const out = createWriteStream(file);
  const next = chance(11);
  const duration = 600 * SECOND;
  const snapshots = Array.from({ length: 1000 }, (_, number) =>
    bare(number, (number * duration) / 1000, "interval", Math.round(50 * MIB + 20 * MIB * Math.sin(number / 60))),
  );
  const paths = [];
  for (let outer = 0; outer < 20; outer++) {
    paths.push({ path: paths.length, names: [`request_${outer}`], parent: null, file: "src/main.rs", line: outer });
    for (let inner = 0; inner < 4; inner++)
      paths.push({
        path: paths.length,
        names: [`request_${outer}`, `step_${inner}`],
        parent: outer * 5,
        file: "src/main.rs",
        line: inner,
      });
  }
  out.write(
    `{"format":"memprof session","version":1,"metadata":${JSON.stringify(metadata("million", duration, 1000))},"snapshots":${JSON.stringify(snapshots)},"operation_paths":${JSON.stringify(paths)},"operation_events":{"columns":${JSON.stringify(COLUMNS)},"rows":[\n`,
  );
  let rows = [];
  let written = 0;
  const add = (row) => {
    rows.push(JSON.stringify(row));
    written++;
    if (rows.length === 10000 || written === 1e6) {
      out.write(rows.join(",\n") + (written < 1e6 ? ",\n" : ""));
      rows = [];
    }
  };
  if (isRandom) {
    while (written < 1e6) {
      const start = Math.floor(next() * duration);
      const before = Math.floor(next() * 2 ** 31);
      const delta = Math.floor((next() - 0.5) * 2 ** 25);
      add([
        Math.floor(next() * 100),
        1 + Math.floor(next() * 16),
        start,
        start + Math.floor(next() * 2e7),
        delta,
        before,
        before + delta,
        null,
      ]);
    }
  } else {
    for (let thread = 1; thread <= 16; thread++) {
      let at = next() * 1e6;
      for (let call = 0; call < 12500; call++) {
        const outer = Math.floor(next() * 20);
        const start = Math.floor(at);
        let inner = start + 1000;
        const before = 50 * MIB + Math.floor(next() * 4096) * 1024;
        for (let step = 0; step < 4; step++) {
          const end = inner + 1e5 + Math.floor(next() * 9e6);
          const delta = Math.floor(next() * 64) * 256;
          add([outer * 5 + 1 + step, thread, inner, end, delta, before, before + delta, null]);
          inner = end + 500 + Math.floor(next() * 1000);
        }
        const delta = Math.floor(next() * 64) * 1024;
        add([outer * 5, thread, start, inner, delta, before, before + delta, null]);
        at = inner + next() * 2.5e7;
      }
    }
  }
  out.write(`\n]},"out_of_memory":[],"summary":{}}\n`);
  return new Promise((done, failed) => out.on("error", failed).end(done));
};

/** Writes a timeline of a million snapshots over one day. */
const writeSnapshots = async (file) => {
  const out = createWriteStream(file);
  out.write(
    `{"format":"memprof timeline","version":1,"metadata":${JSON.stringify(metadata("watcher", 86400 * SECOND, 1e6, { operations_tracked: false }))}}\n`,
  );
  let lines = [];
  for (let number = 0; number < 1e6; number++) {
    const live =
      number === 777777 ? 999 * MIB : Math.round(50 * MIB + 30 * MIB * Math.sin(number / 30000) + (number % 97) * 1000);
    lines.push(JSON.stringify({ snapshot: bare(number, number * 86.4e6, "interval", live) }));
    if (lines.length === 10000) {
      if (!out.write(`${lines.join("\n")}\n`)) await new Promise((done) => out.once("drain", done));
      lines = [];
    }
  }
  await new Promise((done, failed) => out.on("error", failed).end(done));
};

const odd = {
  empty: () => report({ metadata: metadata("empty", 0, 0, { operations_tracked: false }), snapshots: [] }),
  no_operations: () =>
    report({
      metadata: metadata("quiet", 5 * SECOND, 3),
      snapshots: [0, 1, 2].map((number) => bare(number, number * SECOND, "interval", 1000 * number)),
    }),
  one_snapshot: () => report({ metadata: metadata("once", 1, 1), snapshots: [bare(0, 0, "start", 5 * MIB)] }),
  unknown: () =>
    report({
      metadata: metadata("unknown", 3 * SECOND, 3),
      snapshots: [0, 1, 2].map((number) => bare(number, number * SECOND, "interval", null)),
    }),
  // The clock was set back between the second and the third snapshot, and calls end before they
  // begin.
  clock_jumps: () =>
    report({
      metadata: metadata("jumps", 5 * SECOND, 4),
      snapshots: [0, 3, 1, 4].map((second, number) => bare(number, second * SECOND, "interval", MIB * (number + 1))),
      paths: [{ path: 0, names: ["work"], parent: null, file: "a.rs", line: 1 }],
      calls: [
        [0, 1, 2 * SECOND, SECOND, 5, 0, 5, null],
        [0, 1, 3 * SECOND, 3 * SECOND, 5, 0, 5, null],
        [99, 1, SECOND, 2 * SECOND, 5, 0, 5, null],
        [0, 1, 2 ** 60, 2 ** 60 + 5, 5, 0, 5, null],
      ],
    }),
  // Libraries in C grow, and the live heap does not.
  resident: () =>
    report({
      metadata: metadata("resident", 60 * SECOND, 7),
      snapshots: [0, 1, 2, 3, 4, 5, 6].map((number) => {
        const file = (path, bytes) => ({ kind: "file", file: path, bytes });
        const inC = (2 + 30 * number) * MIB;
        const parts = [
          { kind: "live_heap", bytes: 20 * MIB },
          { kind: "profiler", bytes: MIB },
          { kind: "c_libraries", bytes: inC, range: [inC - MIB / 2, inC + MIB / 4] },
          { kind: "block_overhead", bytes: MIB / 2 },
          { kind: "allocator_free", bytes: 3 * MIB },
          { kind: "stacks", bytes: MIB },
          { kind: "anonymous", bytes: 2 * MIB },
          file("/srv/app/bin/app", 9 * MIB),
          file("/usr/lib/libc.so.6", 2 * MIB),
          { kind: "other_files", bytes: MIB },
        ];
        const resident_bytes = parts.reduce((sum, { bytes }) => sum + bytes, 0);
        const resident = { number: number + 1, took_ns: 900_000, resident_bytes, threads: 8, parts };
        const root = profile("cache", { entries: [["[data]", 18 * MIB]] });
        const bytes = 18 * MIB;
        const reading = { name: "cache", state: "profiled", held_ns: 1000, total_bytes: bytes, heap_bytes: bytes };
        const reconciliation = {
          live_bytes: 21 * MIB,
          profiler_bytes: MIB,
          roots_bytes: bytes,
          roots_exact: true,
          explained: null,
          unexplained: null,
          claimed_twice: null,
        };
        return bare(number, number * 10 * SECOND, "checkpoint", 20 * MIB, {
          name: `minute ${number}`,
          process: { rss_bytes: resident_bytes },
          resident,
          roots: [{ ...reading, profile: root }],
          reconciliation,
        });
      }),
      summary: { leak_watch: { ...leak_watch, verdict: "nothing_grows", observations: 7, watched_ns: 60 * SECOND } },
    }),
  // Blocks of two call sites pin free memory.
  pinned: () => {
    const frame = (address, name, file) => ({ ...place(name, file, 9), address });
    const parts = [
      { kind: "live_heap", bytes: 24 * MIB },
      { kind: "allocator_free", bytes: 48 * MIB },
    ];
    const resident_bytes = 72 * MIB;
    const resident = { number: 1, took_ns: 900_000, resident_bytes, threads: 8, parts };
    const pinned = (stack, more, [free, alone, shared]) => ({
      stack,
      ...more,
      free: estimate(free * MIB),
      alone: estimate(alone * MIB),
      shared: estimate(shared * MIB),
    });
    return report({
      metadata: metadata("pinned", 2 * SECOND, 2),
      paths: [{ path: 0, names: ["load"], parent: null, file: "src/load.rs", line: 1 }],
      snapshots: [
        bare(0, 0, "start", MIB),
        bare(1, SECOND, "end", 24 * MIB, { process: { rss_bytes: resident_bytes }, resident }),
      ],
      stacks: [
        {
          addresses: [
            [7, 70, 71],
            [8, 80],
          ],
          frames: [
            frame(70, "alloc::raw_vec::RawVec<shop::Order, alloc::alloc::Global>::grow_one", ALLOC),
            frame(71, "shop::orders::Orders::add", "src/orders.rs"),
            frame(80, "shop::pages::Pages::load", "src/pages.rs"),
          ],
        },
      ],
      liveStacks: [
        {
          at_ns: SECOND,
          trigger: "end",
          snapshot: 1,
          live_bytes: 24 * MIB,
          root_names: ["orders"],
          rows: [
            [7, 0, 0, 20 * MIB, MIB, 900, 30, 300],
            [8, null, null, 4 * MIB, MIB / 2, 90, 9, 80],
          ],
          pinned: [pinned(8, {}, [30, 28, 32]), pinned(7, { path: 0, root: 0 }, [10, 0, 12])],
        },
      ],
    });
  },
  // A profile, and not a recording.
  shared: () => {
    const all = { path: "app;cache", allocations: 4, bytes: 3 * MIB };
    const handles = { "app;cache": 4, "app;index": 2 };
    const holders = [{ ...all, handles, dominator: "app", freed_bytes: 4 * MIB, unmet_handles: 0 }];
    const parts = { cache: [["[data]", 3 * MIB]], index: [["[data]", MIB]] };
    return JSON.stringify({ ...profile("app", parts), holders });
  },
  // Only the checkpoint has the list.
  held: () => {
    const all = { path: "app;cache", allocations: 4, bytes: 3 * MIB, other_paths: 2 };
    const handles = { "app;a_long_name_of_a_field_that_holds_pages": 4, "app;cache": 4 };
    const holders = [{ ...all, handles, dominator: null, freed_bytes: null, unmet_handles: 1 }];
    const root = profile("app", { cache: [["[data]", 3 * MIB]] });
    const reading = { name: "app", state: "profiled", held_ns: 1000, total_bytes: 3 * MIB, heap_bytes: 3 * MIB };
    const of = (root) => ({ roots: [{ ...reading, profile: root }] });
    return report({
      metadata: metadata("held", 3 * SECOND, 2),
      snapshots: [
        bare(0, SECOND, "interval", 3 * MIB, of(root)),
        bare(1, 2 * SECOND, "checkpoint", 4 * MIB, { name: "loaded", ...of({ ...root, holders }) }),
      ],
    });
  },
  negative: () =>
    report({
      metadata: metadata("negative", 2 * SECOND, 2),
      snapshots: [bare(0, 0, "start", -5 * MIB), bare(1, SECOND, "end", 3 * MIB)],
    }),
  // The program was killed while it wrote a line.
  killed: () => {
    const head = JSON.stringify({
      format: "memprof timeline",
      version: 1,
      metadata: metadata("killed", 0, 1, { ended: "running" }),
    });
    const lines = [0, 1, 2].map((number) =>
      JSON.stringify({ snapshot: bare(number, number * SECOND, "interval", MIB * number) }),
    );
    return `${head}\n${lines.join("\n")}`.slice(0, -40);
  },
};

/** Writes the calls of a service with hundreds of concurrent requests on two threads. */
const concurrent = () => {
  const [requests, length] = [4000, 300e6];
  const calls = [];
  for (let request = 0; request < requests; request++) {
    const [thread, start] = [1 + (request % 2), request * 2.5e6];
    const half = start + length / 2;
    calls.push(
      [1, thread, start, half, 1000, 0, 1000, null],
      [2, thread, half, start + length, -1000, 1000, 0, null],
      [0, thread, start, start + length, 0, 0, 0, null],
    );
  }
  const paths = [["request"], ["request", "query"], ["request", "render"]];
  return report({
    metadata: metadata("service", requests * 2.5e6 + length, 2),
    calls,
    snapshots: [0, 10].map((second, number) => bare(number, second * SECOND, "interval", MIB * (number + 1))),
    paths: paths.map((names, path) => ({
      path,
      names,
      parent: path === 0 ? null : 0,
      file: "src/serve.rs",
      line: 10 + path,
    })),
  });
};

/** Functions that return a recording. */
export const SMALL = { everything, hostile, concurrent, ...odd };

/** Functions that write a recording to a file. */
export const LARGE = {
  million: (file) => writeMillion(file, false),
  million_random: (file) => writeMillion(file, true),
  snapshots: writeSnapshots,
};

/** Writes the recording with this name to a folder. */
export const write = async (folder, name) => {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.json`);
  if (name in SMALL) writeFileSync(file, SMALL[name]());
  else await LARGE[name](file);
};
