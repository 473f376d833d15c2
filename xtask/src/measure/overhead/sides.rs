//! The sides of the comparison: programs of `benches/heap`, some at a level, and their workloads.

/// A program with its level.
#[derive(Clone, Copy)]
pub(super) struct Side {
    pub(super) name: &'static str,
    pub(super) program: &'static str,
    pub(super) level: Option<&'static str>,
    /// The number by which the repetitions of a slow program are divided.
    pub(super) slower: usize,
}

/// The sides. The first has no allocator of its own, the second has a minimal wrapper.
pub(super) const SIDES: [Side; 10] = [
    side("plain program", "plain"),
    side("forwarding wrapper", "forwarding"),
    memprof("memprof, off", "off"),
    memprof("memprof, counters", "counters"),
    memprof("memprof, sampled", "sampled"),
    side("divan 0.1", "with_divan"),
    side("stats_alloc 0.1", "with_stats_alloc"),
    side("tracking-allocator 0.4, idle tracker", "with_tracking_allocator"),
    side("OpenTelemetry style, not attached", "opentelemetry_style"),
    Side { slower: 100, ..side("dhat 0.3, profiling", "with_dhat") },
];

pub(super) const PLAIN: usize = 0;
pub(super) const FORWARDING: usize = 1;
pub(super) const OFF: usize = 2;
pub(super) const COUNTERS: usize = 3;
pub(super) const SAMPLED: usize = 4;

/// The sides that are also built with `lto = "fat"`.
pub(super) const LINKED: [Side; 5] =
    [SIDES[PLAIN], SIDES[FORWARDING], SIDES[OFF], SIDES[COUNTERS], SIDES[SAMPLED]];

/// Other allocators, each alone and inside memprof's.
pub(super) const INNER: [[Side; 4]; 2] = [
    around("jemalloc", ["jemalloc", "memprof_jemalloc"]),
    around("mimalloc", ["mimalloc", "memprof_mimalloc"]),
];

const fn around(name: &'static str, [alone, inside]: [&'static str; 2]) -> [Side; 4] {
    [
        side(name, alone),
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

/// A workload with two numbers of repetitions. The second is larger, so that the difference does
/// not contain the program's setup.
pub(super) struct Workload {
    pub(super) name: &'static str,
    pub(super) times: [usize; 2],
}

pub(super) const WORKLOADS: [Workload; 4] = [
    Workload { name: "pairs", times: [20_000, 520_000] },
    Workload { name: "hot", times: [20_000, 520_000] },
    Workload { name: "json", times: [1, 4] },
    Workload { name: "model", times: [20, 120] },
];

/// A workload for memprof only: it enters and leaves an empty operation.
pub(super) const GUARD: Workload = Workload { name: "guard", times: [20_000, 520_000] };
