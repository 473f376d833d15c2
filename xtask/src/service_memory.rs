//! `cargo xtask service-memory`: the peak memory that memprof adds to a service with much debug
//! information and prints names at the end.

use crate::built::built;
use crate::{Failure, cost, target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const RUNS: usize = 3;
/// The maximum number of MiB that memprof may add, with the names that the service prints.
const ADDED: f64 = 64.0;
/// The minimum number of bytes of debug information that the service must have.
const DEBUG_INFORMATION: u64 = 100 << 20;

pub(crate) fn run() -> Result<(), Failure> {
    let plain = service("plain", &[])?;
    let recorded = service("recorded", &["--features", "recorded"])?;
    let bytes = fs::metadata(&recorded)?.len();
    println!("the service's file: {} MiB", bytes >> 20);
    if bytes < DEBUG_INFORMATION {
        return Err("the service has too little debug information".into());
    }
    let folder = target("service/recordings");
    let [mut without, mut with] = [Vec::new(), Vec::new()];
    for _ in 0..RUNS {
        without.push(peak_mib(&plain, &folder)?);
        with.push(peak_mib(&recorded, &folder)?);
    }
    let (without, with) = (median(without), median(with));
    println!("without memprof {without:6.1} MiB");
    println!("with memprof    {with:6.1} MiB");
    println!("memprof adds {:.1} MiB (at most {ADDED})", with - without);
    finds_the_leak(&recorded, &folder)?;
    if with - without > ADDED {
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

fn peak_mib(service: &Path, folder: &Path) -> Result<f64, Failure> {
    let mut command = Command::new(service);
    command.env("MEMPROF_OUTPUT_DIR", folder);
    let kib = cost::of(&command)?.peak_bytes >> 10;
    Ok(f64::from(u32::try_from(kib)?) / 1024.0)
}

/// Returns an error if the service itself does not print the source line that keeps memory among the
/// suspects. It is called on hundreds of paths.
fn finds_the_leak(recorded: &Path, folder: &Path) -> Result<(), Failure> {
    let mut command = Command::new(recorded);
    command.env("MEMPROF_OUTPUT_DIR", folder);
    let printed = String::from_utf8(command.output()?.stdout)?;
    let suspects = printed.split("at the peak of").next().unwrap_or_default();
    let line = suspects.lines().find(|line| line.contains("src/endpoint.rs:"));
    let line = line.ok_or_else(|| format!("the leak is no suspect:\n{printed}"))?;
    println!("the leak: {}", line.trim());
    Ok(())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
