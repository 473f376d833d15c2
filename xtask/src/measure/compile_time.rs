//! CPU seconds to compile 300 derived structs, compared with serde's derive.

use super::Measured;
use crate::{Failure, cost, target, workspace};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const STRUCTS: usize = 300;
/// The number of rounds. The best one counts, because a disturbance only makes a build slower.
const ROUNDS: usize = 3;

/// A derive whose cost is measured.
struct Side {
    name: &'static str,
    crate_name: &'static str,
    dependencies: &'static str,
    derive: &'static str,
    /// The statement that uses the derive once, on `value`.
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

/// The CPU seconds of each side, in the order of [`SIDES`].
type Seconds = [f64; SIDES.len()];

pub(super) fn measure() -> Result<Measured, Failure> {
    let crates = SIDES.iter().map(generate).collect::<Result<Vec<_>, _>>()?;
    let dev = best(&crates, "dev")?;
    let release = best(&crates, "release")?;
    let [_, memprof, serde] = release;
    let missed = (memprof > serde).then(|| "memprof costs more than serde in release".to_owned());
    Ok(Measured { printed: markdown(dev, release), missed })
}

fn markdown(dev: Seconds, release: Seconds) -> String {
    let mut text = format!(
        "CPU seconds to compile a crate of {STRUCTS} structs of eight fields, after its \
         dependencies were compiled. Figures are the best of {ROUNDS} rounds. Bar: memprof takes at \
         most as long as serde in release.\n\n\
         | derive | dev | release |\n|---|---:|---:|\n"
    );
    for ((side, dev), release) in SIDES.iter().zip(dev).zip(release) {
        let _ = writeln!(text, "| {} | {dev:.1} | {release:.1} |", side.name);
    }
    text
}

/// Writes the crate of a side below `target/`, as a workspace of its own.
fn generate(side: &Side) -> Result<PathBuf, Failure> {
    let folder = target("compile-time").join(side.crate_name);
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

/// Returns a source with a binary tree of types. Using the first type uses all types, and no type
/// nests deeply.
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
fn best(crates: &[PathBuf], profile: &str) -> Result<Seconds, Failure> {
    let mut best = Seconds::default();
    for folder in crates {
        build(folder, profile)?;
    }
    for round in 0..ROUNDS {
        for (folder, best) in crates.iter().zip(&mut best) {
            touch(&folder.join("src/main.rs"))?;
            let seconds = build(folder, profile)?;
            eprintln!("{profile}, round {round}: {seconds:.2} s {}", folder.display());
            *best = if round == 0 { seconds } else { best.min(seconds) };
        }
    }
    Ok(best)
}

/// Builds a crate. Returns the CPU seconds of cargo and all its children.
fn build(folder: &Path, profile: &str) -> Result<f64, Failure> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--profile", profile, "--target-dir", "target"]);
    // A rebuild must compile the whole crate again, even in the profile `dev`.
    cargo.env("CARGO_INCREMENTAL", "0").current_dir(folder);
    Ok(cost::of(&cargo)?.cpu_seconds)
}

/// Rewrites a file so that cargo considers it changed.
fn touch(file: &Path) -> Result<(), Failure> {
    let text = fs::read(file)?;
    Ok(fs::write(file, text)?)
}
