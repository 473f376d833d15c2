//! Tests that `cargo test` ignores or runs with fewer values, and the figures that they print:
//! `cargo xtask exactness`, `estimates`, `idle`, `models` and `week`.

use crate::Failure;
use crate::report::run_all;
use crate::runs::Run;

/// Compares a million random values with a counting allocator, on each toolchain. memprof depends on
/// std's private layouts, so each release of std needs this test.
pub(crate) fn exactness() -> Result<(), Failure> {
    const FIGURES: [&str; 6] = [
        "values: ",
        "types: ",
        "containers: ",
        "bytes owned: ",
        "mismatches: ",
        "estimated leaves: ",
    ];
    // Not optimised: optimising 173 types with ten containers takes longer than running them.
    let run = |toolchain| {
        Run::new(toolchain)
            .toolchain(toolchain)
            .folder(format!("exactness/{toolchain}"))
            .variable("MEMPROF_EXACTNESS_VALUES", "1000000")
            .cargo("test --quiet --package memprof --test exactness -- --ignored --nocapture")
            .figures(&FIGURES, FIGURES.len())
    };
    run_all(["stable", "nightly"].map(run), |run| run.name.clone(), Run::outcome)
}

pub(crate) fn estimates() -> Result<(), Failure> {
    one(Run::new("estimates")
        .cargo("test --quiet --profile bench --package memprof --test estimates -- --ignored --nocapture")
        .figures(&["class | ", "adversarial, ", "benign, ", "time of "], 27))
}

pub(crate) fn idle() -> Result<(), Failure> {
    let test = "idle::ten_thousand_snapshots_do_not_grow_an_idle_program";
    let target = "--package memprof --features full --test session";
    one(Run::new("idle")
        .cargo(format!("test --quiet --profile bench {target} -- --ignored --nocapture {test}"))
        .figures(&["off: ", "counters: ", "sampled: "], 11))
}

pub(crate) fn week() -> Result<(), Failure> {
    let test = "a_week_keeps_bounded_memory_and_files";
    let target = "--package memprof-session --lib";
    one(Run::new("week")
        .cargo(format!("test --quiet --profile bench {target} -- --ignored --nocapture {test}"))
        .figures(&[": "], 5))
}

/// Runs loom's models, each of which prints the number of its interleavings.
pub(crate) fn models() -> Result<(), Failure> {
    one(Run::new("models")
        .folder("models")
        .variable("RUSTFLAGS", "--cfg loom")
        // Link-time optimisation would only take time.
        .variable("CARGO_PROFILE_RELEASE_LTO", "off")
        .cargo("test --release --quiet --package memprof-heap --test models -- --nocapture")
        .figures(&[" orders"], 1))
}

fn one(run: Run) -> Result<(), Failure> {
    run_all([run], |run| run.name.clone(), Run::outcome)
}
