//! CPU seconds to compile 300 derived structs, compared with serde's derive. What a program that only
//! derives pays, with the dependencies: CPU seconds and the bytes of the program.

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

const FIELDS: usize = 20;

struct Side {
    name: &'static str,
    crate_name: &'static str,
    dependencies: &'static str,
    derive: &'static str,
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

const ONE: [Side; 5] = [
    Side {
        name: "no derive",
        crate_name: "one_without",
        dependencies: "",
        derive: "",
        used: "std::hint::black_box(&value);",
    },
    Side {
        name: "memprof, `total_bytes`",
        crate_name: "one_total",
        dependencies: "memprof = { path = \"MEMPROF\" }\n",
        derive: "#[derive(memprof::MemoryProfile)]\n",
        used: "println!(\"{}\", memprof::Profile::of(&value).total_bytes());",
    },
    Side {
        name: "memprof, the tree as text",
        crate_name: "one_tree",
        dependencies: "memprof = { path = \"MEMPROF\" }\n",
        derive: "#[derive(memprof::MemoryProfile)]\n",
        used: "println!(\"{}\", memprof::Profile::of(&value));",
    },
    Side {
        name: "get-size2, its size",
        crate_name: "one_get_size",
        dependencies: "get-size2 = { version = \"0.11\", features = [\"derive\"] }\n",
        derive: "#[derive(get_size2::GetSize)]\n",
        used: "println!(\"{}\", get_size2::GetSize::get_size(&value));",
    },
    Side {
        name: "allocative, its size",
        crate_name: "one_allocative",
        dependencies: "allocative = \"0.3\"\n",
        derive: "#[derive(allocative::Allocative)]\n",
        used: "println!(\"{}\", allocative::size_of_unique(&value));",
    },
];

type Seconds = [f64; SIDES.len()];

pub(super) fn measure() -> Result<Measured, Failure> {
    let one = one_struct()?;
    let crates = SIDES.iter().map(|side| generate(side, &source(side)));
    let crates = crates.collect::<Result<Vec<_>, _>>()?;
    let dev = best(&crates, "dev")?;
    let release = best(&crates, "release")?;
    let [_, memprof, serde] = release;
    let missed = (memprof > serde).then(|| "memprof costs more than serde in release".to_owned());
    Ok(Measured { printed: format!("{}\n{one}", markdown(dev, release)), missed })
}

/// Compiles each program with one struct and all of its dependencies, in a debug build.
fn one_struct() -> Result<String, Failure> {
    let mut text = format!(
        "What a program with one struct of {FIELDS} fields pays in a debug build: the CPU seconds to \
         compile it with its dependencies, and the bytes that it is larger. Figures are the best of \
         {ROUNDS} rounds.\n\n| program | CPU seconds | bytes |\n|---|---:|---:|\n"
    );
    let mut without = 0;
    for side in &ONE {
        let folder = generate(side, &source_of_one(side))?;
        let mut best = f64::INFINITY;
        for _ in 0..ROUNDS {
            let target = folder.join("target");
            if target.exists() {
                fs::remove_dir_all(target)?;
            }
            best = best.min(build(&folder, "dev")?);
        }
        let program = folder.join("target/debug").join(side.crate_name);
        let bytes = fs::metadata(program)?.len();
        if side.dependencies.is_empty() {
            without = bytes;
        }
        eprintln!("{}: {best:.1} s, {bytes} B", side.name);
        let _ = writeln!(text, "| {} | {best:.1} | {} |", side.name, bytes - without);
    }
    Ok(text)
}

fn source_of_one(side: &Side) -> String {
    let kinds = [
        ("u64", "7"),
        ("String", "String::from(\"name\")"),
        ("Vec<f64>", "vec![0.5]"),
        ("Option<Box<u32>>", "None"),
    ];
    let (mut types, mut values) = (String::new(), String::new());
    for (index, (ty, value)) in kinds.iter().cycle().take(FIELDS).enumerate() {
        let _ = writeln!(types, "    f{index}: {ty},");
        let _ = write!(values, "f{index}: {value}, ");
    }
    format!(
        "#[allow(dead_code)]\n{}struct One {{\n{types}}}\n\nfn main() {{\n    let value = One {{ \
         {values}}};\n    {}\n}}\n",
        side.derive, side.used
    )
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
fn generate(side: &Side, source: &str) -> Result<PathBuf, Failure> {
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
    fs::write(folder.join("src/main.rs"), source)?;
    // The versions that the workspace uses, of which only those of the dependencies are kept.
    fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock"))?;
    Ok(folder)
}

/// The types form a binary tree: using the first uses all, and none nests deeply.
fn source(side: &Side) -> String {
    let head = "use std::{collections::HashMap, hint::black_box, sync::Arc};\n\n";
    let main = format!("fn main() {{\n    let value = record_1();\n    {}\n}}\n", side.used);
    let records = (1..=STRUCTS).map(|index| record(index, side.derive));
    [head.to_owned(), main].into_iter().chain(records).collect()
}

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
