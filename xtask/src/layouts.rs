//! `cargo xtask layouts [PART…]`: tests of core's description of std's private layouts: on nightly, under
//! Miri, under valgrind, and with a std with random layouts.
//!
//! Miri and valgrind run only the tests that read the memory words of other types. Only one seed of
//! random layouts is tried, because each needs a build of std. `MEMPROF_LAYOUT_SEED` selects
//! another seed.

use crate::Failure;
use crate::runs::{Need, Run, run_chosen};

/// Tests of core that read private layouts, including layouts of other crates' types.
const CORE: &str = "--package memprof-core --lib --features indexmap2,bytes1,ndarray017";

/// The filter for the tests of core that read the memory words of other types.
const LAYOUTS: &str = "layout:: impls::";

/// Values of every type of std, compared with a counting allocator.
const EXACTNESS: &str = "--package memprof --test exactness";

/// The runner for tests under valgrind.
const VALGRIND: &str = "valgrind --quiet --error-exitcode=99 --leak-check=no --fair-sched=yes";

pub(crate) fn run(parts: &[String]) -> Result<(), Failure> {
    let seed = std::env::var("MEMPROF_LAYOUT_SEED").unwrap_or_else(|_| "1".to_owned());
    let nightly = |name: &str, folder| Run::new(name).toolchain("nightly").folder(folder);
    let runs = [
        nightly("nightly", "layouts/nightly")
            .cargo(format!("test {CORE} -- {LAYOUTS}"))
            // An allocator contradicts the observed layout.
            .cargo("test --package memprof-core --test refuted_layouts")
            .cargo(format!("test {EXACTNESS}")),
        nightly("Miri", "layouts/miri")
            .need(Need::Component("miri"))
            .variable("MIRIFLAGS", "-Zmiri-strict-provenance -Zmiri-disable-isolation")
            .cargo(format!("miri test {CORE} -- {LAYOUTS}"))
            .cargo(format!("miri test {EXACTNESS} -- constructed marked shared")),
        // The same tests as machine code, because Miri cannot run the instructions that read words.
        // valgrind would report the reads that `padding_reads` makes on purpose.
        Run::new("valgrind")
            .need(Need::Program("valgrind"))
            .variable("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", VALGRIND)
            .variable("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", VALGRIND)
            .cargo(format!("test {CORE} -- {LAYOUTS} --skip padding_reads")),
        // The fields of std's private types are in a random order. A value may be marked as
        // estimated, but no value with wrong bytes may be marked as exact.
        nightly("random layouts", "layouts/random")
            .need(Need::LinuxX86)
            .need(Need::Component("rust-src"))
            .variable("RUSTFLAGS", format!("-Zrandomize-layout -Zlayout-seed={seed}"))
            .variable("MEMPROF_EXACTNESS_ESTIMATES", "1")
            .cargo(format!(
                "test -Zbuild-std=std,panic_abort,test --target x86_64-unknown-linux-gnu \
                 {EXACTNESS} -- random_values_of_std"
            )),
    ];
    run_chosen(parts, runs)
}
