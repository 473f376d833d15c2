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

/// A type and its constructor, with words in capitals to replace.
const RECORD: &str = include_str!("compile_time/record.rs.in");

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
    let head = "use std::{collections::HashMap, hint::black_box, sync::Arc};\n\n";
    let main = format!("fn main() {{\n    let value = record_1();\n    {}\n}}\n", side.used);
    let records = (1..=STRUCTS).map(|index| record(index, side.derive));
    [head.to_owned(), main].into_iter().chain(records).collect()
}

/// Returns a type with its constructor.
fn record(index: usize, derive: &str) -> String {
    let child = |index: usize, leaf: [&str; 2]| match index {
        ..=STRUCTS => [format!("Record{index}"), format!("record_{index}()")],
        _ => leaf.map(str::to_owned),
    };
    let [left, left_value] = child(2 * index, ["f32", "0.5"]);
    let [right, right_value] = child(2 * index + 1, ["u16", "7"]);
    let (right, right_value) = match index % 4 {
        0 => (format!("Arc<{right}>"), format!("Arc::new({right_value})")),
        1 => (format!("Option<Arc<{right}>>"), format!("Some(Arc::new({right_value}))")),
        2 => (format!("Vec<{right}>"), format!("vec![{right_value}]")),
        _ => (right, right_value),
    };
    let text = RECORD.replace("DERIVE", derive).replace("INDEX", &index.to_string());
    let text = text.replace("LEFT_TYPE", &left).replace("LEFT_VALUE", &left_value);
    text.replace("RIGHT_TYPE", &right).replace("RIGHT_VALUE", &right_value)
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
