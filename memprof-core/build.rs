//! Sets `memprof_known_std` if std's layouts were read in the sources of this compiler's version.
//!
//! Nothing is compiled and nothing of the target is run, so cross builds work: std comes with the
//! compiler. Without this script the crate checks layouts all the same; `src/layout/word.rs` says
//! what it does not read then.

use std::process::Command;

/// Minor versions of Rust 1 whose collections have the fields that `src/layout` describes.
const KNOWN: std::ops::RangeInclusive<u32> = 85..=97;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(memprof_known_std)");
    if minor_version().is_some_and(|minor| KNOWN.contains(&minor)) {
        println!("cargo::rustc-cfg=memprof_known_std");
    }
}

/// Returns the 95 of `rustc 1.95.0 (59807616e 2026-04-14)`.
fn minor_version() -> Option<u32> {
    let output = Command::new(std::env::var_os("RUSTC")?).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (minor, _) = text.strip_prefix("rustc 1.")?.split_once('.')?;
    minor.parse().ok()
}
