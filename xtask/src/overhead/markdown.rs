//! The tables as Markdown: over the plain program, over the forwarding wrapper, the bars.

use super::bars::{Outcome, Verdict};
use super::instructions::{Cell, Counted};
use super::sides::{FORWARDING, PLAIN, SIDES, Side, WORKLOADS};
use std::fmt::Write;

/// Everything, ready for a page.
pub(super) fn document(counted: &Counted, verdicts: &[Verdict]) -> String {
    let text = format!(
        "What a global allocator adds, in instructions per pair of calls, counted by valgrind: two \
         runs of the same program that differ in how much work they do, and their difference. A \
         pair is two calls of the allocator of any kind: a block asked for and given back, or half \
         of that and a reallocation. Around the system's allocator (glibc's), as `cargo build \
         --release` compiles unless told otherwise. `pairs`: a block of 16 to 216 bytes in, \
         another of 64 out; `hot`: 64 bytes in and out; `json`: a megabyte parsed by serde_json \
         and dropped ({:.0} pairs); `model`: an optimisation model of 1000 variables built and \
         dropped ({:.0} pairs).\n",
        counted.pairs[2], counted.pairs[3]
    );
    [text, above(counted, PLAIN), above(counted, FORWARDING), bars(verdicts)].join("\n")
}

fn above(counted: &Counted, baseline: usize) -> String {
    let names: Vec<_> = WORKLOADS.iter().map(|workload| workload.name).collect();
    let mut text = format!("| over the {} | ", SIDES[baseline].name);
    let _ = writeln!(text, "{} |\n|---{}|", names.join(" | "), "|---:".repeat(names.len()));
    let itself: Vec<_> = counted.rows[baseline].iter().map(absolute).collect();
    let _ = writeln!(text, "| itself | {} |", itself.join(" | "));
    for (side, Side { name, .. }) in SIDES.iter().enumerate() {
        if side != baseline {
            let cells: Vec<_> = counted.above(side, baseline).iter().map(difference).collect();
            let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
        }
    }
    text
}

fn absolute(cell: &Cell) -> String {
    cell.as_ref().map_or("–".into(), |count| format!("{count:.1}"))
}

fn difference(cell: &Cell) -> String {
    match cell {
        Err(_) => "–".into(),
        Ok(count) if count.abs() >= 1000.0 => format!("{count:+.0}"),
        Ok(count) => format!("{count:+.1}"),
    }
}

fn bars(verdicts: &[Verdict]) -> String {
    let mut text = String::from("Bars:\n\n");
    for verdict in verdicts {
        let word = match verdict.outcome {
            Outcome::Met => "met",
            Outcome::Missed => "**missed**",
            Outcome::NotMeasured => "**not measured**",
        };
        let _ = writeln!(text, "- {word}: {}", verdict.line);
    }
    text
}
