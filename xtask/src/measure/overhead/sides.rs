//! The sides of the comparison: programs of `benches/heap`, some at a level, and their workloads.

#[derive(Clone, Copy)]
pub(super) struct Side {
    pub(super) name: &'static str,
    pub(super) program: &'static str,
    pub(super) level: Option<&'static str>,
    /// The number by which the repetitions of a slow program are divided.
    pub(super) slower: u32,
}

pub(super) const SIDES: [Side; 11] = [
    side("plain program", "plain"),
    side("forwarding wrapper", "forwarding"),
    side("memprof without `heap`", "memprof_without_heap"),
    memprof("memprof, off", "off"),
    memprof("memprof, counters", "counters"),
    memprof("memprof, sampled", "sampled"),
    side("divan 0.1", "with_divan"),
    side("stats_alloc 0.1", "with_stats_alloc"),
    side("tracking-allocator 0.4, idle tracker", "with_tracking_allocator"),
    side("OpenTelemetry style, not attached", "opentelemetry_style"),
    Side { slower: 100, ..side("dhat 0.3, profiling", "with_dhat") },
];

/// The sides that are also built with `lto = "fat"`.
pub(super) const LINKED: [Side; 5] = [SIDES[0], SIDES[1], SIDES[3], SIDES[4], SIDES[5]];

/// Other allocators, each alone and inside memprof's.
pub(super) const OTHERS: [[Side; 4]; 2] =
    [around("jemalloc", "memprof_jemalloc"), around("mimalloc", "memprof_mimalloc")];

const fn around(alone: &'static str, inside: &'static str) -> [Side; 4] {
    [
        side(alone, alone),
        Side { program: inside, ..memprof("memprof, off", "off") },
        Side { program: inside, ..memprof("memprof, counters", "counters") },
        Side { program: inside, ..memprof("memprof, sampled", "sampled") },
    ]
}

const fn side(name: &'static str, program: &'static str) -> Side {
    Side { name, program, level: None, slower: 1 }
}

const fn memprof(name: &'static str, level: &'static str) -> Side {
    Side { name, program: "with_memprof", level: Some(level), slower: 1 }
}

/// The instructions per pair that a side may need above a baseline, on every workload.
pub(super) struct Bar {
    pub(super) side: &'static str,
    pub(super) baseline: &'static str,
    pub(super) max: f64,
}

pub(super) const BARS: [Bar; 4] = [
    // Less than one instruction: counts of the larger workloads vary by tenths.
    Bar { side: "memprof without `heap`", baseline: "forwarding wrapper", max: 0.5 },
    Bar { side: "memprof, off", baseline: "forwarding wrapper", max: 4.0 },
    Bar { side: "memprof, counters", baseline: "plain program", max: 21.0 },
    Bar { side: "memprof, sampled", baseline: "plain program", max: 45.0 },
];

/// The second number of repetitions is larger, so that the difference excludes the setup.
pub(super) struct Workload {
    pub(super) name: &'static str,
    pub(super) times: [u32; 2],
}

pub(super) const WORKLOADS: [Workload; 4] = [
    Workload { name: "pairs", times: [20_000, 520_000] },
    Workload { name: "hot", times: [20_000, 520_000] },
    Workload { name: "json", times: [1, 4] },
    Workload { name: "model", times: [20, 120] },
];

/// A workload that enters and leaves an empty operation, with its side and its bar.
pub(super) const GUARD: Workload = Workload { name: "guard", times: [20_000, 520_000] };
pub(super) const GUARD_SIDE: Side = SIDES[4];
pub(super) const GUARD_BAR: f64 = 60.0;
