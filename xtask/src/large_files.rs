//! `cargo xtask large-files`: each command on a profile of a million leaves, its time and memory.

mod generate;

use crate::measure::{Cost, measure};
use crate::{Failure, table, workspace};
use generate::Shape;
use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The best of so many runs counts; anything that disturbs a process makes it slower.
const ROUNDS: usize = 7;

/// What each command may take.
const MOST_SECONDS: f64 = 1.0;
const MOST_BYTES: u64 = 200_000_000;

/// The command lines; `FILE`, `BEFORE` and `FOLDED` stand for the files.
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

pub(crate) fn run() -> Result<(), Failure> {
    let memprof = build()?;
    let mut rows = Vec::new();
    let mut sizes = Vec::new();
    for shape in Shape::ALL {
        let files = files(shape, &memprof)?;
        sizes.push(format!("{} ({})", shape.name(), megabytes(fs::metadata(&files.after)?.len())));
        for command in COMMANDS {
            let words = command.split(' ').map(|word| match word {
                "FILE" => files.after.clone().into(),
                "BEFORE" => files.before.clone().into(),
                "FOLDED" => files.folded.clone().into(),
                word => OsString::from(word),
            });
            let words: Vec<_> = std::iter::once(memprof.clone().into()).chain(words).collect();
            let cost = best(&words)?;
            eprintln!("{}: {command}: {cost:?}", shape.name());
            rows.push((shape, command, cost));
        }
    }
    let printed = markdown(&sizes, &rows);
    print!("{printed}");
    table::keep("large-files", &printed)?;
    match rows.iter().filter(|row| !row.2.is_within()).count() {
        0 => Ok(()),
        over => Err(format!("{over} of {} commands took too much", rows.len()).into()),
    }
}

impl Cost {
    fn is_within(self) -> bool {
        self.seconds <= MOST_SECONDS && self.peak_bytes <= MOST_BYTES
    }
}

/// The command line tool as users have it.
fn build() -> Result<PathBuf, Failure> {
    let target = workspace().canonicalize()?.join("target/large-files");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--release", "--package", "memprof-cli", "--target-dir"])
        .arg(&target)
        .current_dir(workspace())
        .status()?;
    if built.success() {
        Ok(target.join("release/memprof"))
    } else {
        Err("memprof-cli does not build".into())
    }
}

fn files(shape: Shape, memprof: &Path) -> Result<Files, Failure> {
    let folder = workspace().canonicalize()?.join("target/large-files").join(shape.name());
    fs::create_dir_all(&folder)?;
    let file = |name: &str| folder.join(name);
    let files = Files {
        before: file("before.json"),
        after: file("after.json"),
        folded: file("folded.txt"),
    };
    generate::write(shape, 0, &files.before)?;
    // Every path changes, which is the most that there is to compare.
    generate::write(shape, 1, &files.after)?;
    let converted = Command::new(memprof)
        .args(["export", "--to", "folded-detailed", "--force", "-o"])
        .args([&files.folded, &files.after])
        .status()?;
    if converted.success() { Ok(files) } else { Err("the profile was not folded".into()) }
}

fn best(words: &[OsString]) -> Result<Cost, Failure> {
    let mut best = measure(words)?;
    for _ in 1..ROUNDS {
        let cost = measure(words)?;
        best.seconds = best.seconds.min(cost.seconds);
        best.cpu_seconds = best.cpu_seconds.min(cost.cpu_seconds);
        best.peak_bytes = best.peak_bytes.max(cost.peak_bytes);
    }
    Ok(best)
}

fn markdown(sizes: &[String], rows: &[(Shape, &str, Cost)]) -> String {
    let mut text = format!(
        "Each command in release on profiles of a million leaves: {}. The best of \
         {ROUNDS} runs, CPU time of all threads together; memory is the most that the process held. Bars: {MOST_SECONDS} s and {}.\n\n\
         | profile | command | seconds | CPU seconds | memory | |\n|---|---|---:|---:|---:|---|\n",
        sizes.join(", "),
        megabytes(MOST_BYTES)
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
