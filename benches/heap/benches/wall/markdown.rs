//! The table as Markdown, and the peers that are faster.

use memprof_heap_benches::bootstrap::Estimate;
use memprof_heap_benches::wall::plan::Plan;
use memprof_heap_benches::wall::rounds::Column;
use memprof_heap_benches::wall::sides::{COUNTERS, Role, SIDES};
use std::fmt::Write;

/// Returns the whole text for the page.
pub(crate) fn document(columns: &[Column], plan: Plan) -> String {
    let mut text = format!(
        "A figure is the CPU time of a program, relative to the plain program or to the inner \
         allocator alone in the same round. The table has the median of {} rounds, in which all \
         programs run in random order, and its 95 % interval by bootstrap. The second row compares \
         the plain program with itself, so smaller differences than in this row have no meaning. \
         dhat does a hundredth of the work, in every fourth round. `threads` makes the blocks of \
         `pairs`, half of them on each of two threads at once, and counts the CPU time of both. \
         Programs use the system's allocator (glibc's) unless a row names another one.\n\n",
        plan.rounds
    );
    let names: Vec<_> = columns.iter().map(|column| column.name).collect();
    let _ = writeln!(text, "| | {} |", names.join(" | "));
    let _ = writeln!(text, "|---{}|", "|---:".repeat(names.len()));
    for (index, side) in SIDES.iter().enumerate() {
        let cells: Vec<_> = columns.iter().map(|column| cell(column, index)).collect();
        let _ = writeln!(text, "| {} | {} |", side.name, cells.join(" | "));
    }
    text + &faster(columns)
}

fn cell(column: &Column, side: usize) -> String {
    match &column.ratios[side] {
        _ if side == 0 => duration(column.nanoseconds),
        Ok(ratio) => interval(*ratio),
        Err(_) => "–".into(),
    }
}

fn duration(nanoseconds: f64) -> String {
    match nanoseconds {
        ..1e3 => format!("{nanoseconds:.1} ns"),
        ..1e6 => format!("{:.1} µs", nanoseconds / 1e3),
        _ => format!("{:.1} ms", nanoseconds / 1e6),
    }
}

fn interval(Estimate { median, low, high }: Estimate) -> String {
    if median < 10.0 {
        format!("{median:.3} [{low:.3}, {high:.3}]")
    } else {
        format!("{median:.0} [{low:.0}, {high:.0}]")
    }
}

/// Returns the peers whose whole interval is below the interval of memprof's counters.
fn faster(columns: &[Column]) -> String {
    let mut text = String::from("\nPeers that are faster than memprof's counters:\n\n");
    let start = text.len();
    for column in columns {
        let Ok(counters) = &column.ratios[COUNTERS] else { continue };
        for (side, ratio) in SIDES.iter().zip(&column.ratios) {
            let Ok(ratio) = ratio else { continue };
            if side.role == Role::Peer && ratio.high < counters.low {
                let part = ratio.median / counters.median;
                let _ = writeln!(text, "- {}: {} ({part:.2} of its time)", column.name, side.name);
            }
        }
    }
    if text.len() == start {
        text.push_str("- none beyond the intervals\n");
    }
    text
}
