//! `cargo xtask fuzz [SECONDS] [TARGET…]`: each parser under libFuzzer and the address sanitizer.

use crate::tools::{cargo_subcommand, cargo_with};
use crate::usage::Usage;
use crate::{Failure, target, workspace};
use std::fs;
use std::path::Path;

/// The fuzz targets; each has a corpus of the same name.
pub(crate) const TARGETS: [&str; 5] =
    ["folded", "profile_json", "document", "timeline", "gpu_trace"];

/// The default time for each target, in seconds.
const SECONDS: u32 = 600;

/// The limits of an input. Exceeding the time or the memory is a failure.
const LIMITS: [&str; 3] = ["-timeout=20", "-rss_limit_mb=2048", "-max_len=65536"];

/// An argument of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    Seconds(u32),
    Target(&'static str),
}

impl Choice {
    /// Parses a number of seconds, or the name of a target.
    pub(crate) fn parse(argument: &str) -> Result<Self, String> {
        let target = TARGETS.into_iter().find(|name| *name == argument).map(Self::Target);
        let choice = target.or_else(|| Some(Self::Seconds(argument.parse().ok()?)));
        choice.ok_or_else(|| format!("expected seconds, or one of {}", TARGETS.join(", ")))
    }
}

/// Fuzzes the chosen targets, or all if none is chosen.
pub(crate) fn run(choices: &[Choice]) -> Result<(), Failure> {
    let seconds = choices.iter().filter_map(|choice| match choice {
        Choice::Seconds(seconds) => Some(*seconds),
        Choice::Target(_) => None,
    });
    let seconds = match seconds.collect::<Vec<_>>()[..] {
        [] => SECONDS,
        [seconds] => seconds,
        _ => return Err(Usage("seconds are given twice".to_owned()).into()),
    };
    let are_all = !choices.iter().any(|choice| matches!(choice, Choice::Target(_)));
    let tools = cargo_subcommand("cargo-fuzz", None)?;
    for name in TARGETS {
        if are_all || choices.contains(&Choice::Target(name)) {
            fuzz(&tools, name, seconds)?;
        }
    }
    Ok(())
}

/// Runs a target from its corpus. New inputs are stored below `target/`.
fn fuzz(tools: &Path, name: &str, seconds: u32) -> Result<(), Failure> {
    let corpus = target("fuzz").join(name);
    fs::create_dir_all(&corpus)?;
    let mut command = cargo_with("nightly", tools)?;
    command
        .args(["fuzz", "run", name])
        .arg(corpus.canonicalize()?)
        .arg(workspace().join("fuzz/corpus").join(name).canonicalize()?)
        .arg("--")
        .arg(format!("-max_total_time={seconds}"))
        .args(LIMITS);
    if !command.status()?.success() {
        return Err(format!("{name}: see the input below fuzz/artifacts/{name}").into());
    }
    println!("{name}: {seconds} s, nothing found; {} inputs kept", fs::read_dir(corpus)?.count());
    Ok(())
}
