//! The sides of the comparison: the programs, some at a level, and the workloads.

use std::ops::Range;
use std::path::PathBuf;
use std::process::Command;

/// A program with its level.
#[derive(Clone, Copy)]
pub(crate) struct Side {
    pub(crate) name: &'static str,
    program: &'static str,
    level: Option<&'static str>,
    /// A slow program does `1 / slower` of the work, in every `every`-th round.
    pub(crate) slower: usize,
    pub(crate) every: usize,
    /// The side whose time is 1.
    pub(crate) baseline: usize,
}

/// The sides. The first is the baseline of most others. The second is the same again, and shows the
/// variation that the machine alone causes.
pub(crate) const SIDES: [Side; 16] = [
    side("plain program", "plain"),
    side("plain program again", "plain"),
    side("forwarding wrapper", "forwarding"),
    memprof("memprof, off", "off"),
    memprof("memprof, counters", "counters"),
    memprof("memprof, sampled", "sampled"),
    side("divan 0.1", "with_divan"),
    side("stats_alloc 0.1", "with_stats_alloc"),
    side("tracking-allocator 0.4, idle tracker", "with_tracking_allocator"),
    Side { slower: 100, every: 4, ..side("dhat 0.3, profiling", "with_dhat") },
    side("jemalloc", "jemalloc"),
    around(10, "memprof, counters, over jemalloc", "memprof_jemalloc", "counters"),
    around(10, "memprof, sampled, over jemalloc", "memprof_jemalloc", "sampled"),
    side("mimalloc", "mimalloc"),
    around(13, "memprof, counters, over mimalloc", "memprof_mimalloc", "counters"),
    around(13, "memprof, sampled, over mimalloc", "memprof_mimalloc", "sampled"),
];

/// memprof at the level for comparing it with peers that only count.
pub(crate) const COUNTERS: usize = 4;
/// The peers.
pub(crate) const PEERS: Range<usize> = 6..10;
/// The first side that needs the feature `inner`; all later ones need it too.
const INNER: usize = 10;

const fn side(name: &'static str, program: &'static str) -> Side {
    Side { name, program, level: None, slower: 1, every: 1, baseline: 0 }
}

const fn memprof(name: &'static str, level: &'static str) -> Side {
    Side { level: Some(level), ..side(name, "with_memprof") }
}

const fn around(
    baseline: usize,
    name: &'static str,
    program: &'static str,
    level: &'static str,
) -> Side {
    Side { program, baseline, ..memprof(name, level) }
}

/// Returns `true` if this build has the side and its program supports the workload and the level.
pub(crate) fn can(index: usize, workload: &Workload) -> bool {
    // Without the feature, a program from another build may be left over, and must not run.
    (index < INNER || cfg!(feature = "inner")) && SIDES[index].run(workload, 1).is_ok()
}

impl Side {
    /// Runs the work. Returns its CPU nanoseconds, or the program's error.
    pub(crate) fn run(&self, workload: &Workload, times: usize) -> Result<f64, String> {
        let program = PathBuf::from(env!("CARGO_BIN_EXE_plain")).with_file_name(self.program);
        let run = Command::new(program)
            .args([workload.name, &times.to_string()])
            .args(self.level)
            .output()
            .map_err(|why| format!("{}: {why}", self.program))?;
        let printed = String::from_utf8_lossy(&run.stdout);
        match printed.trim().parse() {
            Ok(nanoseconds) if run.status.success() => Ok(nanoseconds),
            _ => Err(String::from_utf8_lossy(&run.stderr).trim().to_owned()),
        }
    }
}

/// A workload with the number of its repetitions, which take about fifty milliseconds.
pub(crate) struct Workload {
    pub(crate) name: &'static str,
    pub(crate) times: usize,
}

pub(crate) const WORKLOADS: [Workload; 4] = [
    Workload { name: "pairs", times: 2_000_000 },
    Workload { name: "threads", times: 2_000_000 },
    Workload { name: "json", times: 3 },
    Workload { name: "model", times: 200 },
];
