//! The bars: the promised speed of memprof, and whether this run met it.

use crate::rounds::Row;
use memprof_benches::Bar;
use memprof_benches::peers::{ALLOCATIVE_TREE, COUNTING_SHARED_ONCE, MEMPROF_TREE};

/// Values without shared memory: the largest ratio to the hand-written sum.
const OWNED: f64 = 1.3;
/// Values with shared memory: the largest ratio to the fastest peer that counts it once.
const SHARED: f64 = 0.5;
/// The smallest speed-up over allocative's flame graph.
const ALLOCATIVE: f64 = 20.0;
/// Values that the type alone determines: the maximum of seconds, for any length of the array.
const CONSTANT: f64 = 10e-6;

/// The verdict on a bar.
pub(crate) struct Verdict {
    pub(crate) met: bool,
    pub(crate) line: String,
}

/// Returns the verdicts on all bars of all rows.
pub(crate) fn judge(rows: &[Row]) -> Vec<Verdict> {
    rows.iter()
        .flat_map(|row| [by_kind(row), by_allocative(row), by_exactness(row)])
        .flatten()
        .collect()
}

fn by_kind(row: &Row) -> Option<Verdict> {
    let name = row.workload.name;
    let tree = row.measured(MEMPROF_TREE)?;
    Some(match row.workload.bar {
        Bar::Constant => Verdict {
            met: tree.seconds <= CONSTANT,
            line: format!(
                "{name}: {:.2} µs, at most {:.0} µs whatever the length",
                tree.seconds * 1e6,
                CONSTANT * 1e6
            ),
        },
        Bar::Owned => Verdict {
            met: tree.ratio <= OWNED,
            line: format!("{name}: {:.2} × the hand-written sum, at most {OWNED}", tree.ratio),
        },
        Bar::Shared => {
            let (peer, fastest) = fastest_counting_shared_once(row)?;
            let ratio = tree.ratio / fastest;
            Verdict {
                met: ratio <= SHARED,
                line: format!("{name}: {ratio:.2} × {peer}, at most {SHARED}"),
            }
        }
    })
}

fn by_allocative(row: &Row) -> Option<Verdict> {
    let faster = row.ratio(ALLOCATIVE_TREE)? / row.ratio(MEMPROF_TREE)?;
    row.workload.beats_allocative.then(|| Verdict {
        met: faster >= ALLOCATIVE,
        line: format!(
            "{}: {faster:.1} times faster than allocative's flame graph, at least {ALLOCATIVE}",
            row.workload.name
        ),
    })
}

fn by_exactness(row: &Row) -> Option<Verdict> {
    let reported = row.measured(MEMPROF_TREE)?.bytes;
    (reported != row.bytes).then(|| Verdict {
        met: false,
        line: format!("{}: {reported} bytes reported, {} exact", row.workload.name, row.bytes),
    })
}

fn fastest_counting_shared_once(row: &Row) -> Option<(&'static str, f64)> {
    let ratios = COUNTING_SHARED_ONCE.iter().filter_map(|&side| Some((side, row.ratio(side)?)));
    ratios.min_by(|a, b| a.1.total_cmp(&b.1))
}
