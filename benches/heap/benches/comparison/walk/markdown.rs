//! The tables as Markdown: times, bytes, peers that cannot measure a value, faster peers, and the
//! bars.

use super::bars::Verdict;
use super::rounds::{Cell, Measured, Row};
use crate::table::{duration, ratio};
use memprof_benches::Bar;
use memprof_benches::peers::{HAND, MEMPROF_TOTAL, MEMPROF_TREE, NAMES};
use std::fmt::Write;

/// Returns the whole text for the page.
pub(crate) fn document(rows: &[Row], verdicts: &[Verdict]) -> String {
    [times(rows), bytes(rows), absences(rows), losses(rows), bars(verdicts)].join("\n")
}

fn times(rows: &[Row]) -> String {
    let mut text = String::from(
        "CPU time, relative to a hand-written exact sum of the same value, whose own time is in \
         the second column. If the type alone determines the bytes, the times are absolute. \
         ✗: the bytes are not exact.\n\n",
    );
    header(&mut text, "value", &NAMES);
    for row in rows {
        let cells = row.cells.iter().map(|cell| time(row, cell));
        line(&mut text, &row.name(), cells);
    }
    text
}

fn time(row: &Row, cell: &Cell) -> String {
    let Ok(measured) = &cell.outcome else { return "–".into() };
    let mark = if measured.bytes == row.bytes { "" } else { " ✗" };
    if cell.side == HAND || row.workload.bar == Bar::Constant {
        duration(measured.seconds) + mark
    } else {
        ratio(measured.ratio) + mark
    }
}

fn bytes(rows: &[Row]) -> String {
    let mut text = String::from(
        "The next table compares the reported bytes. The exact bytes are those of the \
         hand-written sum, which a test compares with the allocator. For each tool, the table has \
         the difference from the exact bytes. The column *allocations of a profile* is the number \
         of allocations that one profile with memprof's tree makes.\n\n",
    );
    let names: Vec<_> =
        ["exact bytes", "allocations of a profile"].into_iter().chain(NAMES).collect();
    header(&mut text, "value", &names);
    for row in rows {
        let facts = [row.bytes.to_string(), row.requests.to_string()];
        let cells = row.cells.iter().map(|cell| difference(row, cell.outcome.as_ref().ok()));
        line(&mut text, &row.name(), facts.into_iter().chain(cells));
    }
    text
}

#[allow(clippy::cast_precision_loss, reason = "a percentage needs no more than 52 bits")]
fn difference(row: &Row, measured: Option<&Measured>) -> String {
    let Some(measured) = measured else { return "–".into() };
    let more = measured.bytes as f64 - row.bytes as f64;
    if measured.bytes == row.bytes {
        "=".into()
    } else if more.abs() < row.bytes as f64 * 5e-4 {
        format!("{more:+.0} B")
    } else {
        format!("{:+.1} %", more / row.bytes as f64 * 100.0)
    }
}

fn absences(rows: &[Row]) -> String {
    let mut text = String::from("Where a cell is empty:\n\n");
    for row in rows {
        for cell in &row.cells {
            if let Err(why) = cell.outcome {
                let _ = writeln!(text, "- {}, {}: {why}.", row.name(), cell.side);
            }
        }
    }
    text
}

fn losses(rows: &[Row]) -> String {
    let mut text = String::from("Rows in which a peer is faster than memprof's tree:\n\n");
    for row in rows {
        let faster = faster_peers(row);
        if !faster.is_empty() {
            let _ = writeln!(text, "- {}: {}.", row.name(), faster.join(", "));
        }
    }
    text
}

/// Returns the peers that take less time than memprof's tree, each with its ratio to the tree's
/// time.
fn faster_peers(row: &Row) -> Vec<String> {
    let Some(tree) = row.measured(MEMPROF_TREE) else { return Vec::new() };
    let peers =
        row.cells.iter().filter(|cell| ![HAND, MEMPROF_TREE, MEMPROF_TOTAL].contains(&cell.side));
    peers
        .filter_map(|cell| {
            let peer = cell.outcome.as_ref().ok()?;
            let part = peer.seconds / tree.seconds;
            let mark = if peer.bytes == row.bytes { "" } else { " ✗" };
            (part < 1.0).then(|| format!("{} ({part:.2} of its time{mark})", cell.side))
        })
        .collect()
}

fn bars(verdicts: &[Verdict]) -> String {
    let mut text = String::from("Bars:\n\n");
    for verdict in verdicts {
        let word = if verdict.met { "met" } else { "**missed**" };
        let _ = writeln!(text, "- {word}: {}", verdict.line);
    }
    text
}

fn header(text: &mut String, first: &str, names: &[&str]) {
    line(text, first, names.iter().map(ToString::to_string));
    let _ = writeln!(text, "|---{}|", "|---:".repeat(names.len()));
}

fn line(text: &mut String, first: &str, cells: impl Iterator<Item = String>) {
    let _ = write!(text, "| {first} |");
    for cell in cells {
        let _ = write!(text, " {cell} |");
    }
    text.push('\n');
}
