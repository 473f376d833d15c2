//! The sides of the comparison: the programs, some at a level, and the workloads.

use super::programs::{Build, Programs};
use std::process::Command;

/// A program with its level.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// The name in the tables.
    pub name: &'static str,
    /// The role in the comparison.
    pub role: Role,
    /// The index of the side to which this side's time is relative.
    pub baseline: usize,
    /// The number by which the repetitions of a slow program are divided.
    pub slower: usize,
    /// A slow program runs in every `every`-th round.
    pub every: usize,
    program: &'static str,
    level: Option<&'static str>,
    build: Build,
}

/// The role of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A program without a profiler.
    Reference,
    /// memprof around the system's allocator.
    Memprof,
    /// Another profiler around the system's allocator.
    Peer,
}

/// The sides. The first is the baseline of most others. The second repeats the first, and shows the
/// variation that the machine alone causes.
pub const SIDES: [Side; 13] = [
    side("plain program", "plain"),
    side("plain program again", "plain"),
    side("forwarding wrapper", "forwarding"),
    memprof("memprof, off", "off"),
    memprof("memprof, counters", "counters"),
    memprof("memprof, sampled", "sampled"),
    peer("divan 0.1", "with_divan"),
    peer("stats_alloc 0.1", "with_stats_alloc"),
    peer("tracking-allocator 0.4, idle tracker", "with_tracking_allocator"),
    peer("OpenTelemetry style, not attached", "opentelemetry_style"),
    Side { slower: 100, every: 4, ..peer("dhat 0.3, profiling", "with_dhat") },
    Side { build: Build::FramePointers, ..side("plain program, frame pointers", "plain") },
    Side {
        build: Build::FramePointers,
        baseline: PLAIN_FRAME_POINTERS,
        ..peer("heapscope 0.3, profiling, over frame pointers", "with_heapscope")
    },
];

/// The index of the plain program.
pub const PLAIN: usize = 0;
/// The index of the plain program that is built like heapscope's.
pub const PLAIN_FRAME_POINTERS: usize = 11;
/// The index of memprof at the level that is compared with peers that only count.
pub const COUNTERS: usize = 4;

const fn side(name: &'static str, program: &'static str) -> Side {
    Side {
        name,
        role: Role::Reference,
        baseline: PLAIN,
        slower: 1,
        every: 1,
        program,
        level: None,
        build: Build::Usual,
    }
}

const fn peer(name: &'static str, program: &'static str) -> Side {
    Side { role: Role::Peer, ..side(name, program) }
}

const fn memprof(name: &'static str, level: &'static str) -> Side {
    Side { role: Role::Memprof, level: Some(level), ..side(name, "with_memprof") }
}

impl Side {
    /// Runs the work. Returns its CPU nanoseconds.
    ///
    /// # Errors
    /// Returns the program's error, or the reason why this build does not have it.
    pub fn run(
        &self,
        programs: &Programs,
        workload: &Workload,
        times: usize,
    ) -> Result<f64, String> {
        let run = Command::new(programs.folder(self.build)?.join(self.program))
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
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// The name on the command line and in the tables.
    pub name: &'static str,
    /// The number of repetitions.
    pub times: usize,
}

/// The workloads.
pub const WORKLOADS: [Workload; 4] = [
    Workload { name: "pairs", times: 2_000_000 },
    Workload { name: "threads", times: 2_000_000 },
    Workload { name: "json", times: 3 },
    Workload { name: "model", times: 200 },
];
