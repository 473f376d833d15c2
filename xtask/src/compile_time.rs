//! `cargo xtask compile-time`: CPU seconds to compile 300 derived structs, beside serde's derive.

use crate::{Failure, table, workspace};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const STRUCTS: usize = 300;
/// The best of so many; anything that disturbs a build makes it slower.
const ROUNDS: usize = 3;

/// A derive whose cost is measured.
struct Side {
    name: &'static str,
    crate_name: &'static str,
    dependencies: &'static str,
    derive: &'static str,
    /// The statement that uses it once, on `value`.
    used: &'static str,
}

const SIDES: [Side; 3] = [
    Side {
        name: "no derive",
        crate_name: "derives_nothing",
        dependencies: "",
        derive: "",
        used: "std::hint::black_box(&value);",
    },
    Side {
        name: "memprof::MemoryProfile, profiled once",
        crate_name: "derives_memprof",
        dependencies: "memprof = { path = \"MEMPROF\" }\n",
        derive: "#[derive(memprof::MemoryProfile)]\n",
        used: "println!(\"{}\", memprof::Profile::of(&value).total_bytes());",
    },
    Side {
        name: "serde::Serialize, written once by serde_json",
        crate_name: "derives_serde",
        dependencies: "serde = { version = \"1\", features = [\"derive\", \"rc\"] }\n\
                       serde_json = \"1\"\n",
        derive: "#[derive(serde::Serialize)]\n",
        used: "println!(\"{}\", serde_json::to_string(&value).unwrap().len());",
    },
];

/// CPU seconds of each side, in the order of [`SIDES`].
type Seconds = [f64; SIDES.len()];

pub(crate) fn run() -> Result<(), Failure> {
    let crates = SIDES.iter().map(generate).collect::<Result<Vec<_>, _>>()?;
    let dev = measure(&crates, "dev")?;
    let release = measure(&crates, "release")?;
    let printed = markdown(dev, release);
    print!("{printed}");
    table::keep("compile-time", &printed)?;
    let [_, memprof, serde] = release;
    if memprof <= serde { Ok(()) } else { Err("memprof costs more than serde in release".into()) }
}

fn markdown(dev: Seconds, release: Seconds) -> String {
    let mut text = format!(
        "CPU seconds to compile a crate of {STRUCTS} structs of eight fields, its dependencies \
         compiled before; the best of {ROUNDS}. Bar: memprof at most serde in release.\n\n\
         | derive | dev | release |\n|---|---:|---:|\n"
    );
    for ((side, dev), release) in SIDES.iter().zip(dev).zip(release) {
        let _ = writeln!(text, "| {} | {dev:.1} | {release:.1} |", side.name);
    }
    text
}

/// Writes the crate of a side below `target/`, as a workspace of its own.
fn generate(side: &Side) -> Result<PathBuf, Failure> {
    let folder = workspace().join("target/compile-time").join(side.crate_name);
    fs::create_dir_all(folder.join("src"))?;
    let memprof = workspace().canonicalize()?.display().to_string();
    let manifest = format!(
        "[package]\nname = \"{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\n{}",
        side.crate_name,
        side.dependencies.replace("MEMPROF", &memprof)
    );
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::write(folder.join("src/main.rs"), source(side))?;
    Ok(folder)
}

/// A binary tree of types, so that using the first one uses all and none nests deeply.
fn source(side: &Side) -> String {
    let mut text = String::from(
        "use std::{collections::HashMap, hint::black_box, sync::Arc};\n\n\
         fn main() {\n    let value = record_1();\n    ",
    );
    text += side.used;
    text += "\n}\n";
    for index in 1..=STRUCTS {
        let _ = write!(text, "\n{}{}\n{}", side.derive, record(index), maker(index));
    }
    text
}

fn record(index: usize) -> String {
    let left = child(2 * index).map_or("f32".into(), |child| format!("Record{child}"));
    let right = child(2 * index + 1).map_or("u16".into(), |child| format!("Record{child}"));
    let right = match index % 4 {
        0 => format!("Arc<{right}>"),
        1 => format!("Option<Arc<{right}>>"),
        2 => format!("Vec<{right}>"),
        _ => right,
    };
    format!(
        "#[allow(dead_code)]\nstruct Record{index} {{\n    id: u64,\n    weight: f64,\n    \
         name: String,\n    samples: Vec<f64>,\n    note: Option<String>,\n    \
         index: HashMap<String, u32>,\n    left: Box<{left}>,\n    right: {right},\n}}\n"
    )
}

fn maker(index: usize) -> String {
    let left = child(2 * index).map_or("0.5".into(), |child| format!("record_{child}()"));
    let right = child(2 * index + 1).map_or("7".into(), |child| format!("record_{child}()"));
    let right = match index % 4 {
        0 => format!("Arc::new({right})"),
        1 => format!("Some(Arc::new({right}))"),
        2 => format!("vec![{right}]"),
        _ => right,
    };
    format!(
        "#[inline(never)]\nfn record_{index}() -> Record{index} {{\n    Record{index} {{\n        \
         id: black_box({index}),\n        weight: 0.5,\n        name: String::from(\"name\"),\n        \
         samples: vec![1.0],\n        note: None,\n        index: HashMap::new(),\n        \
         left: Box::new({left}),\n        right: {right},\n    }}\n}}\n"
    )
}

fn child(index: usize) -> Option<usize> {
    (index <= STRUCTS).then_some(index)
}

/// Builds everything once, then each crate alone several times, in turn.
fn measure(crates: &[PathBuf], profile: &str) -> Result<Seconds, Failure> {
    let mut best = Seconds::default();
    for folder in crates {
        build(folder, profile)?;
    }
    for round in 0..ROUNDS {
        for (folder, best) in crates.iter().zip(&mut best) {
            let before = cpu_seconds_of_children()?;
            touch(&folder.join("src/main.rs"))?;
            build(folder, profile)?;
            let seconds = cpu_seconds_of_children()? - before;
            eprintln!("{profile}, round {round}: {seconds:.2} s {}", folder.display());
            *best = if round == 0 { seconds } else { best.min(seconds) };
        }
    }
    Ok(best)
}

fn build(folder: &Path, profile: &str) -> Result<(), Failure> {
    let status = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--profile", profile, "--target-dir", "target"])
        // A rebuild must compile all of the crate again, in dev as well.
        .env("CARGO_INCREMENTAL", "0")
        .current_dir(folder)
        .stdout(Stdio::null())
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{} does not build", folder.display()).into())
    }
}

/// Makes cargo take a file for changed.
fn touch(file: &Path) -> Result<(), Failure> {
    let text = fs::read(file)?;
    Ok(fs::write(file, text)?)
}

/// CPU time of all processes that this one started and that ended, theirs included.
fn cpu_seconds_of_children() -> Result<f64, Failure> {
    /// Of Linux, on every architecture that cargo runs on.
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat")?;
    // The process's name may hold spaces; the fields after it are counted from 3.
    let fields = stat.rsplit_once(") ").ok_or("no fields in /proc/self/stat")?.1;
    let ticks = fields.split(' ').skip(16 - 3).take(2).map(str::parse::<f64>);
    Ok(ticks.sum::<Result<f64, _>>()? / TICKS_PER_SECOND)
}
