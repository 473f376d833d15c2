//! `cargo xtask fuzz [TARGET…]`: each parser under libFuzzer and the address sanitizer.

use crate::tools::{cargo_subcommand, cargo_with};
use crate::{Failure, target, workspace};
use std::fs;

/// The fuzz targets; each has a corpus of the same name.
pub(crate) const TARGETS: [&str; 4] = ["folded", "profile_json", "document", "timeline"];

/// The limits of an input. Exceeding the time or the memory is a failure.
const LIMITS: [&str; 3] = ["-timeout=20", "-rss_limit_mb=2048", "-max_len=65536"];

/// Stores new inputs below the target folder.
pub(crate) fn run(chosen: &[String], seconds: u32) -> Result<(), Failure> {
    let tools = cargo_subcommand("cargo-fuzz", None)?;
    let is_chosen = |name: &&str| chosen.is_empty() || chosen.iter().any(|other| other == name);
    for name in TARGETS.into_iter().filter(is_chosen) {
        let kept = target("fuzz").join(name);
        fs::create_dir_all(&kept)?;
        let mut cargo = cargo_with("nightly", &tools)?;
        cargo.args(["fuzz", "run", name]).arg(kept.canonicalize()?);
        cargo.arg(workspace().join("fuzz/corpus").join(name).canonicalize()?);
        cargo.args(["--", &format!("-max_total_time={seconds}")]).args(LIMITS);
        if !cargo.status()?.success() {
            return Err(format!("{name}: see the input below fuzz/artifacts/{name}").into());
        }
        println!("{name}: {seconds} s, no failure; {} inputs kept", fs::read_dir(kept)?.count());
    }
    Ok(())
}
