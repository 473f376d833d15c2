//! `cargo xtask minimum-rust`: memprof-core and the derive with the oldest compiler that they
//! support. A library outside the workspace, which depends on memprof-core alone, is tested too.

use crate::tools::{cargo_of, has_toolchain};
use crate::{Failure, target, workspace};

/// The `rust-version` of memprof-core and memprof-derive.
const OLDEST: &str = "1.85.0";

pub(crate) fn run() -> Result<(), Failure> {
    if !has_toolchain(OLDEST) {
        println!("skipped: rustup could not install Rust {OLDEST}");
        return Ok(());
    }
    let core = ["check", "--package", "memprof-core", "--features", "smallvec1,indexmap2,bytes1"];
    let derive = ["check", "--package", "memprof-derive", "--features", "track"];
    cargo(&core, ".")?;
    cargo(&derive, ".")?;
    cargo(&["test"], "tests/packages/core_only_library")?;
    println!(
        "memprof-core, memprof-derive and tests/packages/core_only_library pass with Rust {OLDEST}"
    );
    Ok(())
}

fn cargo(arguments: &[&str], folder: &str) -> Result<(), Failure> {
    let mut cargo = cargo_of(OLDEST);
    cargo.args(arguments).env("CARGO_TARGET_DIR", target("minimum-rust"));
    if cargo.current_dir(workspace().join(folder)).status()?.success() {
        return Ok(());
    }
    Err(format!("`cargo {}` failed in {folder} with Rust {OLDEST}", arguments.join(" ")).into())
}
