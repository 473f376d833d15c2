//! The bars of the walk, and whether this run met them.

use super::rounds::Row;
use memprof_benches::Bar;
use memprof_benches::peers::{
    ALLOCATIVE_TOTAL, ALLOCATIVE_TREE, DATASIZE, DEEPSIZE, GET_SIZE2, HAND, MEM_DBG, MEMPROF_TOTAL,
    MEMPROF_TREE,
};

/// The smallest speed-up over allocative's flame graph.
const ALLOCATIVE: f64 = 20.0;
/// The maximum ratio of the total's time to that of the fastest exact peer.
const OVER_PEER: f64 = 1.3;
/// The maximum number of seconds for values whose bytes the type alone determines. The limit holds
/// for any length of the array.
const CONSTANT: f64 = 10e-6;
/// The peers that return a total, like memprof's total.
const TOTALS: [&str; 5] = [MEM_DBG, GET_SIZE2, DEEPSIZE, DATASIZE, ALLOCATIVE_TOTAL];

/// The verdict on a bar.
pub(crate) struct Verdict {
    pub(crate) met: bool,
    pub(crate) line: String,
}

/// Returns the verdicts on all bars of all rows.
pub(crate) fn judge(rows: &[Row]) -> Vec<Verdict> {
    rows.iter().flat_map(of_row).collect()
}

/// Returns the verdicts on the bars of a row.
pub(crate) fn of_row(row: &Row) -> Vec<Verdict> {
    let verdicts = [by_kind(row), by_peers(row), by_allocative(row), by_exactness(row)];
    verdicts.into_iter().flatten().collect()
}

/// Rounds a ratio to the digits that the tables show, so that a bar and its row agree.
pub(crate) fn shown(ratio: f64) -> f64 {
    (ratio * 100.0).round() / 100.0
}

#[expect(clippy::cast_precision_loss, reason = "the number of values is in the millions")]
fn by_kind(row: &Row) -> Option<Verdict> {
    let tree = row.measured(MEMPROF_TREE)?;
    let name = row.name();
    match row.workload.bar {
        Bar::Constant => Some(Verdict {
            met: tree.seconds <= CONSTANT,
            line: format!(
                "{name}: {:.2} µs, at most {:.0} µs whatever the length",
                tree.seconds * 1e6,
                CONSTANT * 1e6
            ),
        }),
        Bar::OverHand(max) => Some(Verdict {
            met: shown(tree.ratio) <= max,
            line: format!("{name}: {:.2} × the hand-written sum, at most {max:.1}", tree.ratio),
        }),
        Bar::ExtraNanoseconds(max) => {
            let (hand, total) = (row.measured(HAND)?.seconds, row.measured(MEMPROF_TOTAL)?.seconds);
            let extra = (total - hand) * 1e9 / row.size as f64;
            Some(Verdict {
                met: extra <= max,
                line: format!("{name}: the total takes {extra:.1} ns more, at most {max:.0} ns"),
            })
        }
    }
}

/// Describes the bar of a row for a cell of the table.
pub(crate) fn limit(bar: Bar) -> String {
    match bar {
        Bar::Constant => format!("{:.0} µs", CONSTANT * 1e6),
        Bar::OverHand(max) => format!("{max:.1}"),
        Bar::ExtraNanoseconds(max) => format!("total + {max:.0} ns"),
    }
}

/// Compares memprof's total with the fastest exact total of a peer.
fn by_peers(row: &Row) -> Option<Verdict> {
    if !matches!(row.workload.bar, Bar::OverHand(_)) {
        return None;
    }
    let total = row.ratio(MEMPROF_TOTAL)?;
    let peer = fastest_exact_peer(row)?;
    let fastest = row.ratio(peer)?;
    Some(Verdict {
        met: shown(total / fastest) <= OVER_PEER,
        line: format!(
            "{}: the total takes {total:.2}, the fastest exact peer ({peer}) {fastest:.2}, at most \
             {OVER_PEER} times as long",
            row.name()
        ),
    })
}

/// Returns the peer with the fastest total that is exact on the row.
fn fastest_exact_peer(row: &Row) -> Option<&'static str> {
    let exact = |side: &&str| row.measured(side).is_some_and(|one| one.bytes == row.bytes);
    let ratios = TOTALS.into_iter().filter(exact).filter_map(|side| Some((side, row.ratio(side)?)));
    ratios.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(side, _)| side)
}

fn by_allocative(row: &Row) -> Option<Verdict> {
    let faster = row.ratio(ALLOCATIVE_TREE)? / row.ratio(MEMPROF_TREE)?;
    row.workload.beats_allocative.then(|| Verdict {
        met: faster >= ALLOCATIVE,
        line: format!(
            "{}: {faster:.1} times faster than allocative's flame graph, at least {ALLOCATIVE}",
            row.name()
        ),
    })
}

fn by_exactness(row: &Row) -> Option<Verdict> {
    let reported = row.measured(MEMPROF_TREE)?.bytes;
    (reported != row.bytes).then(|| Verdict {
        met: false,
        line: format!("{}: {reported} bytes reported, {} exact", row.name(), row.bytes),
    })
}
