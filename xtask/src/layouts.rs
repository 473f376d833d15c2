//! `cargo xtask layouts`: tests of core's description of std's private layouts: on nightly, under
//! Miri, and with a std with random layouts.
//!
//! Miri and valgrind run only the tests that read the memory words of other types. Only one seed of
//! random layouts is tried, because each needs a build of std. `MEMPROF_LAYOUT_SEED` selects
//! another seed.

use crate::outcomes::{self, Outcome, test};
use crate::tools::{cargo_of, has, has_nightly, has_nightly_component};
use crate::{Failure, target};
use std::process::Command;

/// Tests of core that read private layouts, including layouts of other crates' types.
const CORE: [&str; 5] =
    ["--package", "memprof-core", "--lib", "--features", "indexmap2,bytes1,ndarray017"];

/// A test in which an allocator contradicts the observed layout.
const REFUTED: [&str; 4] = ["--package", "memprof-core", "--test", "refuted_layouts"];

/// The filter for the tests of core that read the memory words of other types.
const LAYOUTS: [&str; 3] = ["--", "layout::", "impls::"];

/// Exactness tests: values of every type of std, compared with a counting allocator.
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

/// Tests core's layouts and the exactness of values with nightly's std.
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

/// Tests core's layouts in an interpreter that reports undefined behaviour.
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

/// Runs the same tests as machine code, because Miri cannot run the instructions that read words.
fn valgrind() -> Result<Outcome, Failure> {
    if !has("valgrind") {
        return Ok(Outcome::Skipped("valgrind is not installed"));
    }
    let mut command = crate::cargo();
    command.arg("test").args(CORE).args(LAYOUTS);
    // Valgrind would report the reads that this test makes on purpose.
    command.args(["--skip", "padding_reads"]);
    let runner = "valgrind --quiet --error-exitcode=99 --leak-check=no --fair-sched=yes";
    command.env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", runner);
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", runner);
    test([command])
}

/// Tests exactness with a std whose private types have their fields in a random order. A value may
/// be marked as estimated, but no value with wrong bytes may be marked as exact.
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

/// Returns a command of nightly's cargo with a target folder of its own.
fn cargo(folder: &str, command: &[&str], arguments: &[&[&str]]) -> Command {
    let mut cargo = cargo_of("nightly");
    cargo.args(command);
    cargo.arg("--target-dir").arg(target("layouts").join(folder));
    cargo.args(arguments.concat());
    cargo
}
