//! A build of heapscope's program and of the plain one with frame pointers, which heapscope needs
//! on x86-64.
//!
//! The other programs have no frame pointers, like most Rust programs. Compiler flags apply to a
//! whole build, so these two programs have a separate build in a separate target folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PACKAGE: [&str; 6] = [
    "--package",
    "memprof-heap-benches",
    "--features",
    "heapscope",
    "--bin=with_heapscope",
    "--bin=plain",
];

/// Builds both programs in a subfolder of the target folder. `usual` is the folder of the other
/// programs. Returns the folder of both programs.
pub(super) fn build(usual: &Path) -> Result<PathBuf, String> {
    let target = usual.ancestors().nth(1).ok_or("the programs have no target folder")?;
    let target = target.join("frame-pointers");
    // heapscope 0.3 declares Rust 1.96, and works with 1.95.
    let built = Command::new(env!("CARGO"))
        .args(["build", "--profile", "bench", "--ignore-rust-version", "--target-dir"])
        .arg(&target)
        .args(PACKAGE)
        .env("RUSTFLAGS", "-C force-frame-pointers=yes")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdout(Stdio::null())
        .status()
        .map_err(|why| format!("cargo: {why}"))?;
    if built.success() {
        Ok(target.join("release"))
    } else {
        Err("heapscope's program did not build; cargo printed the reason".to_owned())
    }
}
