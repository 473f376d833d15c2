//! The time and memory of each command on a profile of a million leaves.

mod generate;

use super::Measured;
use crate::built::built;
use crate::cost::{self, Cost};
use crate::tools::output;
use crate::{Failure, target};
use generate::SHAPES;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The number of runs. The best one counts, because a disturbance only makes a process slower.
const ROUNDS: usize = 7;

const MAX_SECONDS: f64 = 1.2;
const MAX_BYTES: u64 = 200_000_000;

/// Every path differs between the first two files, which is the largest possible comparison.
const COMMANDS: [&str; 11] = [
    "tree after.json",
    "top after.json",
    "info after.json",
    "diff before.json after.json",
    "diff --json before.json after.json",
    "export --to folded after.json",
    "export --to folded-detailed after.json",
    "export --to json after.json",
    "export --to yaml after.json",
    "export --to svg after.json",
    "tree after.folded",
];

pub(super) fn measure() -> Result<Measured, Failure> {
    let memprof = memprof()?;
    let mut rows = Vec::new();
    let mut sizes = Vec::new();
    for shape in SHAPES {
        let folder = target("large-files").join(shape.name);
        fs::create_dir_all(&folder)?;
        let command = |arguments: &str| {
            let mut command = Command::new(&memprof);
            command.current_dir(&folder).args(arguments.split(' '));
            command
        };
        generate::write(shape, 0, &folder.join("before.json"))?;
        generate::write(shape, 1, &folder.join("after.json"))?;
        let fold = "export --to folded-detailed --force -o after.folded after.json";
        output(&mut command(fold))?;
        let size = fs::metadata(folder.join("after.json"))?.len();
        sizes.push(format!("{} ({})", shape.name, megabytes(size)));
        for arguments in COMMANDS {
            let cost = best(&command(arguments))?;
            eprintln!("{}: {arguments}: {cost:?}", shape.name);
            rows.push((shape.name, arguments, cost));
        }
    }
    let over = rows.iter().filter(|row| !row.2.is_within()).count();
    let missed = (over > 0).then(|| format!("{over} of {} commands took too much", rows.len()));
    Ok(Measured { printed: markdown(&sizes, &rows), missed })
}

impl Cost {
    fn is_within(self) -> bool {
        self.seconds <= MAX_SECONDS && self.peak_bytes <= MAX_BYTES
    }
}

/// Builds the command line tool as users have it: linked with `lto = "fat"`.
fn memprof() -> Result<PathBuf, Failure> {
    let folder = target("large-files");
    let folder = folder.to_str().ok_or("the target folder's path is not UTF-8")?;
    let release = ["--release", "--package", "memprof-cli", "--target-dir", folder];
    built(&release, "large-files/release/memprof")
}

fn best(command: &Command) -> Result<Cost, Failure> {
    let mut best = cost::of(command)?;
    for _ in 1..ROUNDS {
        let cost = cost::of(command)?;
        best.seconds = best.seconds.min(cost.seconds);
        best.cpu_seconds = best.cpu_seconds.min(cost.cpu_seconds);
        best.peak_bytes = best.peak_bytes.max(cost.peak_bytes);
    }
    Ok(best)
}

fn markdown(sizes: &[String], rows: &[(&str, &str, Cost)]) -> String {
    let mut text = format!(
        "Each command in release on profiles of a million leaves: {}. Figures are the best of \
         {ROUNDS} runs. CPU time is the sum over all threads, and memory is the process's peak. \
         Bars: {MAX_SECONDS} s and {}.\n\n\
         | profile | command | seconds | CPU seconds | memory | |\n|---|---|---:|---:|---:|---|\n",
        sizes.join(", "),
        megabytes(MAX_BYTES)
    );
    for (name, command, cost) in rows {
        let mark = if cost.is_within() { "" } else { "**missed**" };
        let memory = megabytes(cost.peak_bytes);
        let (seconds, cpu) = (cost.seconds, cost.cpu_seconds);
        let _ = writeln!(
            text,
            "| {name} | `{command}` | {seconds:.2} | {cpu:.2} | {memory} | {mark} |"
        );
    }
    text
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes.div_ceil(1_000_000))
}
