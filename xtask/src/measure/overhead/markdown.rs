//! The tables as Markdown, in which each row is compared with the first, and the bars.

use super::bars::{Outcome, Verdict};
use super::instructions::{Cell, Counted, Row, above};
use super::sides::{FORWARDING, INNER, LINKED, PLAIN, SIDES, WORKLOADS};
use std::fmt::Write;

/// Returns the whole text for the page.
pub(super) fn document(counted: &Counted, verdicts: &[Verdict]) -> String {
    let text = format!(
        "The instructions that a global allocator adds per pair of calls, counted by valgrind. Each \
         figure is the difference of two runs of one program that do different amounts of work. \
         Any two calls are a pair, so a reallocation is half a pair. Programs are compiled by \
         `cargo build --release` and use the system's allocator (glibc's), except in the last two \
         tables. `pairs` allocates a block of 16 to 216 bytes and frees another of 64 live blocks; \
         `hot` allocates and frees 64 bytes; `json` parses a megabyte with serde_json and drops it \
         ({:.0} pairs); `model` builds and drops an optimisation model of 1000 variables ({:.0} \
         pairs). Instructions are not time: stats_alloc needs few instructions, but they are \
         atomic. The table of `cargo xtask measure overhead-time` shows the time.\n",
        counted.pairs[2], counted.pairs[3]
    );
    [
        text,
        over(counted, PLAIN),
        over(counted, FORWARDING),
        format!("The same, linked with `lto = \"fat\"`:\n\n{}", over_linked(counted)),
        over_inner(counted, 0),
        over_inner(counted, 1),
        bars(verdicts),
    ]
    .join("\n")
}

fn over(counted: &Counted, baseline: usize) -> String {
    let mut rows = vec![(SIDES[baseline].name, &counted.rows[baseline])];
    let others = SIDES.iter().zip(&counted.rows).enumerate();
    rows.extend(
        others.filter(|(side, _)| *side != baseline).map(|(_, (side, row))| (side.name, row)),
    );
    table(&rows)
}

fn over_linked(counted: &Counted) -> String {
    let names = LINKED.iter().map(|side| side.name);
    table(&names.zip(&counted.linked).collect::<Vec<_>>())
}

fn over_inner(counted: &Counted, allocator: usize) -> String {
    let names = INNER[allocator].iter().map(|side| side.name);
    table(&names.zip(&counted.inner[allocator]).collect::<Vec<_>>())
}

/// Returns rows compared with the first of them.
fn table(rows: &[(&str, &Row)]) -> String {
    let names: Vec<_> = WORKLOADS.iter().map(|workload| workload.name).collect();
    let [(base, baseline), others @ ..] = rows else { return String::new() };
    let mut text = format!("| over {base} | {} |\n", names.join(" | "));
    let _ = writeln!(text, "|---{}|", "|---:".repeat(names.len()));
    line(&mut text, "itself", baseline.iter().map(absolute));
    for (name, row) in others {
        line(&mut text, name, above(row, baseline).iter().map(difference));
    }
    text
}

fn line(text: &mut String, name: &str, cells: impl Iterator<Item = String>) {
    let _ = writeln!(text, "| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
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
