//! Instructions that each global allocator adds to a pair of calls.

mod count;
mod sides;

use super::Measured;
use crate::Failure;
use crate::built::built;
use crate::target;
use count::{Row, rows};
use sides::{BARS, GUARD, GUARD_BAR, GUARD_SIDE, LINKED, OTHERS, SIDES, WORKLOADS};
use std::fmt::Write;
use std::path::PathBuf;

pub(super) fn measure() -> Result<Measured, Failure> {
    count::install_valgrind()?;
    // Users compile their programs with cargo's profile for releases, which is this workspace's
    // profile `bench`. Some link with `lto = "fat"`, like this workspace's profile `release`.
    let programs = build(&["--profile", "bench", "--features", "inner", "--bins"], "")?;
    let bins = ["--bin", "plain", "--bin", "forwarding", "--bin", "with_memprof"];
    let linked = build(&[&["--release"], &bins[..]].concat(), "linked")?;

    let pairs = count::pairs(&programs)?;
    let usual = rows(&programs, &SIDES, pairs)?;
    let guard = count::per_repetition(&programs, &GUARD_SIDE, &GUARD)?;
    let bars = bars(&usual, guard);
    let mut printed = format!(
        "The instructions that a global allocator adds per pair of calls, counted by valgrind. Any \
         two calls are a pair, so a reallocation is half a pair. Programs are compiled by `cargo \
         build --release` and use the system's allocator (glibc's), except in the last two tables. \
         `pairs` allocates a block of 16 to 216 bytes and frees another of 64 live blocks; `hot` \
         allocates and frees 64 bytes; `json` parses a megabyte with serde_json and drops it \
         ({:.0} pairs); `model` builds and drops an optimisation model of 1000 variables ({:.0} \
         pairs). Instructions are not time: stats_alloc needs few instructions, but they are \
         atomic. The table of `cargo bench` shows the time.\n\n{}\nThe same, linked with `lto = \
         \"fat\"`:\n\n{}\n",
        pairs[2],
        pairs[3],
        table(&usual),
        table(&rows(&linked, &LINKED, pairs)?)
    );
    for sides in &OTHERS {
        let _ = writeln!(printed, "{}", table(&rows(&programs, sides, pairs)?));
    }
    printed += "Bars:\n\n";
    for (is_met, line) in &bars {
        let _ = writeln!(printed, "- {}: {line}", if *is_met { "met" } else { "**missed**" });
    }
    let missed = bars.iter().filter(|(is_met, _)| !is_met).count();
    let missed = (missed > 0).then(|| format!("{missed} of {} bars were missed", bars.len()));
    Ok(Measured { printed, missed })
}

/// Builds programs of `benches/heap`, and returns their folder. Both profiles write into folders of
/// the same name, so the second one has a target folder of its own.
fn build(how: &[&str], folder: &str) -> Result<PathBuf, Failure> {
    let target = target(folder);
    let target = target.to_str().ok_or("the target folder's path is not UTF-8")?;
    let package = ["--package", "memprof-heap-benches", "--target-dir", target];
    // With an empty folder, a leading slash would make the path absolute.
    let path = format!("{folder}/release/plain");
    let plain = built(&[&package, how].concat(), path.trim_start_matches('/'))?;
    Ok(plain.with_file_name(""))
}

/// Returns whether each bar is met, with a line for the page.
fn bars(rows: &[Row], guard: f64) -> Vec<(bool, String)> {
    let row = |name| &rows.iter().find(|row| row.name == name).expect("a bar names sides").counts;
    let over = BARS.iter().map(|bar| {
        let more = row(bar.side).iter().zip(row(bar.baseline)).map(|(count, base)| count - base);
        let most = more.fold(f64::MIN, f64::max);
        let line = format!("{} over the {}", bar.side, bar.baseline);
        verdict(&line, "instructions per pair on the worst workload", most, bar.max)
    });
    let guard = verdict("an operation entered and left", "instructions", guard, GUARD_BAR);
    over.chain([guard]).collect()
}

fn verdict(subject: &str, unit: &str, count: f64, max: f64) -> (bool, String) {
    // The count is rounded as in the output: 18.04 meets a bar of at most 18.
    let is_met = (count * 10.0).round() / 10.0 <= max;
    (is_met, format!("{subject}: {count:.1} {unit}, at most {max}"))
}

/// Returns rows compared with the first of them.
fn table(rows: &[Row]) -> String {
    let [base, others @ ..] = rows else { return String::new() };
    let names = WORKLOADS.map(|workload| workload.name).join(" | ");
    let itself = base.counts.map(|count| format!("{count:.1}")).join(" | ");
    let mut text = format!("| over {} | {names} |\n|---|---:|---:|---:|---:|\n", base.name);
    let _ = writeln!(text, "| itself | {itself} |");
    for row in others {
        let more = std::array::from_fn::<_, 4, _>(|at| row.counts[at] - base.counts[at]);
        let cell = |more: f64| match more {
            -1000.0..1000.0 => format!("{more:+.1}"),
            _ => format!("{more:+.0}"),
        };
        let _ = writeln!(text, "| {} | {} |", row.name, more.map(cell).join(" | "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::count::Row;
    use super::sides::{BARS, SIDES};
    use super::{bars, table};

    #[test]
    fn the_worst_workload_decides_each_bar() {
        let mut rows = SIDES.map(|side| Row { name: side.name, counts: [100.0; 4] });
        let outcomes = |rows: &[Row], guard| -> Vec<bool> {
            bars(rows, guard).into_iter().map(|(is_met, _)| is_met).collect()
        };
        assert_eq!(outcomes(&rows, 60.04), [true; BARS.len() + 1]);
        for bar in &BARS {
            let at = SIDES.iter().position(|side| side.name == bar.side).expect("it is a side");
            rows[at].counts[2] += bar.max + 0.1;
        }
        assert_eq!(outcomes(&rows, 60.1), [false; BARS.len() + 1]);
    }

    #[test]
    fn rows_are_compared_with_the_first() {
        let rows = [("plain", [10.0; 4]), ("other", [12.5, 9.0, 10.0, 2010.0])];
        let rows = rows.map(|(name, counts)| Row { name, counts });
        assert!(table(&rows).ends_with("| other | +2.5 | -1.0 | +0.0 | +2000 |\n"));
    }
}
