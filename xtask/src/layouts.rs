//! `cargo xtask layouts`: core's description of std's private layouts, on nightly, under Miri and on a
//! std with random layouts.
//!
//! Miri and valgrind run only the tests that read other types' words. One seed of random layouts is
//! tried, as each needs a build of std; `MEMPROF_LAYOUT_SEED` chooses another.

use crate::outcomes::{self, Outcome, test};
use crate::tools::{has, has_nightly, has_nightly_component};
use crate::{Failure, target, workspace};
use std::process::Command;

/// Tests of core that read private layouts, with the types of other crates whose words are read.
const CORE: [&str; 5] =
    ["--package", "memprof-core", "--lib", "--features", "indexmap2,bytes1,ndarray017"];

/// A process in which an allocator contradicts what was observed.
const REFUTED: [&str; 4] = ["--package", "memprof-core", "--test", "refuted_layouts"];

/// Which of core's tests run where each takes a thousand times as long.
const LAYOUTS: [&str; 3] = ["--", "layout::", "impls::"];

/// Exactness tests: values of every type of std beside a counting allocator.
const EXACTNESS: [&str; 4] = ["--package", "memprof", "--test", "exactness"];

/// A check of this command.
type Check = fn() -> Result<Outcome, Failure>;

pub(crate) fn run() -> Result<(), Failure> {
    let checks: [(&str, Check); 4] = [
        ("nightly", nightly),
        ("Miri", miri),
        ("valgrind", valgrind),
        ("random layouts", random_layouts),
    ];
    let mut all = Vec::new();
    for (name, check) in checks {
        eprintln!("== {name}");
        all.push((name, check()?));
    }
    outcomes::print(&all)
}

/// Core's layouts and the exactness of values, as nightly's std has them.
fn nightly() -> Result<Outcome, Failure> {
    if !has_nightly() {
        return Ok(Outcome::Skipped("no nightly toolchain is installed"));
    }
    test([
        cargo("nightly", &["test"], &[&CORE[..], &LAYOUTS[..]]),
        cargo("nightly", &["test"], &[&REFUTED]),
        cargo("nightly", &["test"], &[&EXACTNESS]),
    ])
}

/// Core's layouts in an interpreter that reports undefined behaviour.
fn miri() -> Result<Outcome, Failure> {
    if !has_nightly() || !has_nightly_component("miri") {
        return Ok(Outcome::Skipped("nightly has no Miri, and rustup cannot install it"));
    }
    let miri = |arguments: &[&[&str]]| {
        let mut command = cargo("miri", &["miri", "test"], arguments);
        command.env("MIRIFLAGS", "-Zmiri-strict-provenance -Zmiri-disable-isolation");
        command
    };
    test([
        miri(&[&CORE, &LAYOUTS]),
        miri(&[&EXACTNESS, &["--", "constructed", "marked", "shared"]]),
    ])
}

/// The same tests as machine code: instructions that read words are not for Miri.
fn valgrind() -> Result<Outcome, Failure> {
    if !has("valgrind") {
        return Ok(Outcome::Skipped("valgrind is not installed"));
    }
    let mut command = crate::cargo();
    command.arg("test").args(CORE).args(LAYOUTS);
    // Valgrind reports what that test does on purpose.
    command.args(["--skip", "padding_reads"]);
    let runner = "valgrind --quiet --error-exitcode=99 --leak-check=no --fair-sched=yes";
    command.env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", runner);
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", runner);
    test([command])
}

/// Exactness on a std whose private types have their fields in a random order: values may be
/// estimates, but none may be wrong and called exact.
fn random_layouts() -> Result<Outcome, Failure> {
    if !has_nightly() || !has_nightly_component("rust-src") {
        return Ok(Outcome::Skipped(
            "nightly has no sources of std, and rustup cannot install them",
        ));
    }
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Ok(Outcome::Skipped("tried on Linux with x86-64 only"));
    }
    let seed = std::env::var("MEMPROF_LAYOUT_SEED").unwrap_or_else(|_| "1".to_owned());
    let build = ["-Zbuild-std=std,panic_abort,test", "--target", "x86_64-unknown-linux-gnu"];
    let mut command = cargo("random", &["test"], &[&build, &EXACTNESS]);
    command.args(["--", "random_values_of_std"]);
    command.env("RUSTFLAGS", format!("-Zrandomize-layout -Zlayout-seed={seed}"));
    command.env("MEMPROF_EXACTNESS_ESTIMATES", "1");
    test([command])
}

/// A command of nightly's cargo with a target folder of its own.
fn cargo(folder: &str, command: &[&str], arguments: &[&[&str]]) -> Command {
    let mut cargo = Command::new("rustup");
    cargo.current_dir(workspace()).args(["run", "nightly", "cargo"]).args(command);
    cargo.arg("--target-dir").arg(target("layouts").join(folder));
    cargo.args(arguments.concat());
    cargo
}
