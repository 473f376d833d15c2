//! The table of a summary, for a terminal. The figures are aligned to the right; the operation
//! follows them.

use super::shapes::OTHER;
use super::time::Time;
use super::{FrameworkOperations, FrameworkRow, FrameworkSummary, Known};
use core::fmt;
use core::time::Duration;
use memprof_profile::text::{Table, counted, signed};
use memprof_profile::views::{Grouped, Units};

/// The columns. A mean or maximum belongs to the column to its left.
const HEAD: [&str; 10] = [
    "calls",
    "CPU time",
    "mean",
    "max",
    "device time",
    "CPU bytes",
    "max",
    "device bytes",
    "max",
    "operation",
];

/// The text for a figure that no call reported. Its mean and maximum are left blank.
const UNKNOWN: &str = "unknown";

/// The mark of a figure that only some calls reported.
const PARTLY: char = '*';

/// Prints one line per row. An unknown figure is never printed as 0. The last lines state what the
/// figures leave out.
impl fmt::Display for FrameworkSummary {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.rows().is_empty() {
            return out.write_str("no framework operations");
        }
        let mut rows = vec![HEAD.map(str::to_owned).to_vec()];
        rows.extend(self.rows().iter().map(|row| cells(row).to_vec()));
        let is_partly = rows.iter().flatten().any(|cell| cell.ends_with(PARTLY));
        let lines = Table::of_rows(rows, &[HEAD.len() - 1]).lines(usize::MAX);
        out.write_str(&lines.join("\n"))?;
        if is_partly {
            write!(out, "\n{PARTLY} only from the calls that reported it; the others are unknown")?;
        }
        if self.other_calls() > 0 {
            let others = counted(self.other_calls(), "call");
            let kept = counted(FrameworkOperations::KEPT as u64, "combination");
            write!(out, "\n{OTHER}: {others} beyond the {kept} of name and shapes that are kept")?;
        }
        Ok(())
    }
}

fn cells(row: &FrameworkRow) -> [String; HEAD.len()] {
    let all = row.figures.calls;
    let figures = &row.figures;
    let [cpu_time, mean, longest] = times(figures.cpu_time, all);
    let [device_time, _, _] = times(figures.device_time, all);
    let [cpu_bytes, max_on_cpu] = bytes(figures.cpu_bytes, all);
    let [device_bytes, max_on_device] = bytes(figures.device_bytes, all);
    let calls = Grouped(all).to_string();
    [
        calls,
        cpu_time,
        mean,
        longest,
        device_time,
        cpu_bytes,
        max_on_cpu,
        device_bytes,
        max_on_device,
        format!("{}  {}", shown(&row.name), row.shapes),
    ]
}

/// Formats total, mean and maximum.
fn times(known: Option<Known<Duration>>, calls: u64) -> [String; 3] {
    let Some(known) = known else { return [UNKNOWN.to_owned(), String::new(), String::new()] };
    let times = [known.total, known.mean(), known.max];
    times.map(|time| marked(Time(time).to_string(), known.calls < calls))
}

/// Formats total and maximum.
fn bytes(known: Option<Known<i64>>, calls: u64) -> [String; 2] {
    let Some(known) = known else { return [UNKNOWN.to_owned(), String::new()] };
    [known.total, known.max]
        .map(|bytes| marked(signed(bytes.into(), Units::Iec), known.calls < calls))
}

fn marked(mut cell: String, partly: bool) -> String {
    if partly {
        cell.push(PARTLY);
    }
    cell
}

/// Replaces control characters of a name, so that it stays on its line and moves no cursor.
fn shown(name: &str) -> String {
    let safe = |char: char| if char.is_control() { char::REPLACEMENT_CHARACTER } else { char };
    name.chars().map(safe).collect()
}
