//! `cargo xtask service-memory`: the peak memory that memprof adds to a service with much debug
//! information, and the part of it that names take.

use crate::built::built;
use crate::{Failure, cost, target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The number of runs of each kind.
const RUNS: usize = 3;
/// The maximum number of MiB that memprof may add, with the default setting of names.
const ADDED: f64 = 10.0;
/// The maximum number of MiB that names in bounded memory may add.
const NAMES: f64 = 8.0;
/// The minimum number of bytes of debug information that the service must have.
const DEBUG_INFORMATION: u64 = 100 << 20;

/// One kind of run: without memprof, or with this setting `names`.
struct Kind {
    title: &'static str,
    names: Option<&'static str>,
}

const KINDS: [Kind; 4] = [
    Kind { title: "without memprof", names: None },
    Kind { title: "names off", names: Some("off") },
    Kind { title: "names bounded (default)", names: Some("") },
    Kind { title: "names lines", names: Some("lines") },
];

pub(crate) fn run() -> Result<(), Failure> {
    let plain = service("plain", &[])?;
    let recorded = service("recorded", &["--features", "recorded"])?;
    let bytes = fs::metadata(&recorded)?.len();
    println!("the service's file: {} MiB", bytes >> 20);
    if bytes < DEBUG_INFORMATION {
        return Err("the service has too little debug information".into());
    }
    let folder = target("service/recordings");
    let mut peaks = [const { Vec::new() }; KINDS.len()];
    for _ in 0..RUNS {
        for (kind, peaks) in KINDS.iter().zip(&mut peaks) {
            peaks.push(peak_mib(kind, &plain, &recorded, &folder)?);
        }
    }
    let medians = peaks.map(median);
    for (kind, median) in KINDS.iter().zip(medians) {
        println!("{:<24} {median:6.1} MiB", kind.title);
    }
    let [plain_peak, off, bounded, _] = medians;
    println!("memprof adds {:.1} MiB (at most {ADDED})", bounded - plain_peak);
    println!("names add {:.1} MiB (at most {NAMES})", bounded - off);
    finds_the_leak(&recorded, &folder)?;
    if bounded - plain_peak > ADDED || bounded - off > NAMES {
        return Err("memprof adds too much memory".into());
    }
    Ok(())
}

/// Builds the service with full debug information, in a folder of its own. Its own code is not
/// optimised, which takes less time and gives more debug information.
fn service(name: &str, features: &[&str]) -> Result<PathBuf, Failure> {
    let folder = target("service").join(name);
    let folder_text = folder.to_string_lossy().into_owned();
    let mut arguments = vec!["--profile", "bench", "--package", "memprof-test-service"];
    arguments.extend(["--config", "profile.bench.debug='full'"]);
    arguments.extend(["--config", "profile.bench.package.memprof-test-service.opt-level=0"]);
    arguments.extend(["--target-dir", &folder_text]);
    arguments.extend(features);
    built(&arguments, &format!("service/{name}/release/service"))
}

/// Runs the service, and returns its peak memory.
fn peak_mib(kind: &Kind, plain: &Path, recorded: &Path, folder: &Path) -> Result<f64, Failure> {
    let mut command = Command::new(if kind.names.is_some() { recorded } else { plain });
    set(&mut command, kind.names.unwrap_or_default(), folder);
    let kib = cost::of(&command)?.peak_bytes >> 10;
    Ok(f64::from(u32::try_from(kib)?) / 1024.0)
}

fn set(command: &mut Command, names: &str, folder: &Path) {
    // The setting of the caller's environment must not change the measured programs.
    command.env_remove("MEMPROF_NAMES").env("MEMPROF_OUTPUT_DIR", folder);
    if !names.is_empty() {
        command.env("MEMPROF_NAMES", names);
    }
}

/// Returns an error if the service itself does not print the source line that keeps memory.
fn finds_the_leak(recorded: &Path, folder: &Path) -> Result<(), Failure> {
    let mut command = Command::new(recorded);
    set(&mut command, "", folder);
    let printed = String::from_utf8(command.output()?.stdout)?;
    let line = printed.lines().find(|line| line.contains("src/endpoint.rs:"));
    let line = line.ok_or_else(|| format!("the leak has no line:\n{printed}"))?;
    println!("the leak: {}", line.trim());
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
