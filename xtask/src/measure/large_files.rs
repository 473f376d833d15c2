//! The time and memory of each command on a profile of a million leaves.

mod generate;

use super::Measured;
use crate::built::built;
use crate::cost::{self, Cost};
use crate::{Failure, target};
use generate::Shape;
use std::ffi::OsStr;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The number of runs. The best one counts, because a disturbance only makes a process slower.
const ROUNDS: usize = 7;

/// The maximum time of each command.
const MAX_SECONDS: f64 = 1.0;
/// The maximum peak memory of each command.
const MAX_BYTES: u64 = 200_000_000;

/// The command lines, with `FILE`, `BEFORE` and `FOLDED` for the files.
const COMMANDS: [&str; 11] = [
    "tree FILE",
    "top FILE",
    "info FILE",
    "diff BEFORE FILE",
    "diff --json BEFORE FILE",
    "export --to folded FILE",
    "export --to folded-detailed FILE",
    "export --to json FILE",
    "export --to yaml FILE",
    "export --to svg FILE",
    "tree FOLDED",
];

/// The files of one shape.
struct Files {
    before: PathBuf,
    after: PathBuf,
    folded: PathBuf,
}

pub(super) fn measure() -> Result<Measured, Failure> {
    let memprof = memprof()?;
    let mut rows = Vec::new();
    let mut sizes = Vec::new();
    for shape in Shape::ALL {
        let files = files(shape, &memprof)?;
        sizes.push(format!("{} ({})", shape.name(), megabytes(fs::metadata(&files.after)?.len())));
        for command in COMMANDS {
            let cost = best(Command::new(&memprof).args(files.arguments(command)))?;
            eprintln!("{}: {command}: {cost:?}", shape.name());
            rows.push((shape, command, cost));
        }
    }
    let missed = match rows.iter().filter(|row| !row.2.is_within()).count() {
        0 => None,
        over => Some(format!("{over} of {} commands took too much", rows.len())),
    };
    Ok(Measured { printed: markdown(&sizes, &rows), missed })
}

impl Files {
    /// Returns the words of a command line, with the files inserted.
    fn arguments<'a>(&'a self, command: &'a str) -> impl Iterator<Item = &'a OsStr> {
        command.split(' ').map(|word| match word {
            "FILE" => self.after.as_os_str(),
            "BEFORE" => self.before.as_os_str(),
            "FOLDED" => self.folded.as_os_str(),
            word => OsStr::new(word),
        })
    }
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

fn files(shape: Shape, memprof: &Path) -> Result<Files, Failure> {
    let folder = target("large-files").join(shape.name());
    fs::create_dir_all(&folder)?;
    let file = |name: &str| folder.join(name);
    let files = Files {
        before: file("before.json"),
        after: file("after.json"),
        folded: file("folded.txt"),
    };
    generate::write(shape, 0, &files.before)?;
    // Every path changes, which makes the largest possible comparison.
    generate::write(shape, 1, &files.after)?;
    let converted = Command::new(memprof)
        .args(["export", "--to", "folded-detailed", "--force", "-o"])
        .args([&files.folded, &files.after])
        .status()?;
    if converted.success() { Ok(files) } else { Err("the profile was not folded".into()) }
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

fn markdown(sizes: &[String], rows: &[(Shape, &str, Cost)]) -> String {
    let mut text = format!(
        "Each command in release on profiles of a million leaves: {}. Figures are the best of \
         {ROUNDS} runs. CPU time is the sum over all threads, and memory is the process's peak. \
         Bars: {MAX_SECONDS} s and {}.\n\n\
         | profile | command | seconds | CPU seconds | memory | |\n|---|---|---:|---:|---:|---|\n",
        sizes.join(", "),
        megabytes(MAX_BYTES)
    );
    for (shape, command, cost) in rows {
        let mark = if cost.is_within() { "" } else { "**missed**" };
        let (name, memory) = (shape.name(), megabytes(cost.peak_bytes));
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
