//! The bytes of all sides, peers that cannot measure a value, and the bars, as Markdown.

use super::bars::Verdict;
use super::rounds::{Measured, Row};
use memprof_benches::peers::NAMES;
use std::fmt::Write;

/// Returns the whole text for the page.
pub(crate) fn document(rows: &[Row], verdicts: &[Verdict]) -> String {
    [bytes(rows), absences(rows), bars(verdicts)].join("\n")
}

fn bytes(rows: &[Row]) -> String {
    let mut text = String::from(
        "This table compares the reported bytes. The exact bytes are those of the \
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
    let mut text = String::from("Peers without a figure:\n\n");
    for row in rows {
        for cell in &row.cells {
            if let Err(why) = cell.outcome {
                let _ = writeln!(text, "- {}, {}: {why}.", row.name(), cell.side);
            }
        }
    }
    text
}

/// Returns the number of bars, and those that were missed.
fn bars(verdicts: &[Verdict]) -> String {
    let missed: Vec<_> = verdicts.iter().filter(|verdict| !verdict.met).collect();
    let met = verdicts.len() - missed.len();
    let mut text = format!("Bars: {met} met, {} missed.\n", missed.len());
    for verdict in missed {
        let _ = write!(text, "\n- **missed**: {}", verdict.line);
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
