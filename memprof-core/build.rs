//! Sets the `cfg` flags that depend on the compiler's version.
//!
//! `memprof_known_std` means that the layouts of std in `src/impls/std` were compared with the
//! sources of this std.
//! `memprof_since_1_89` and similar flags mean that std has an API that older compilers lack.
//!
//! The script only reads the version of the compiler, which is also the version of std. It runs no
//! code of the target, so cross builds work. Without `memprof_known_std`, the crate still checks
//! layouts at run time, but `src/layout/word.rs` reads fewer types.

use std::process::Command;

/// Minor versions of Rust 1 whose collections have the fields that `src/impls/std` describes.
const KNOWN: std::ops::RangeInclusive<u32> = 85..=97;

/// Minor versions of Rust 1 that added an std API that the crate uses if it is available.
const SINCE: [u32; 3] = [89, 91, 94];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(memprof_known_std)");
    let version = minor_version();
    if version.is_some_and(|minor| KNOWN.contains(&minor)) {
        println!("cargo::rustc-cfg=memprof_known_std");
    }
    for since in SINCE {
        println!("cargo::rustc-check-cfg=cfg(memprof_since_1_{since})");
        if version.is_some_and(|minor| minor >= since) {
            println!("cargo::rustc-cfg=memprof_since_1_{since}");
        }
    }
}

/// Returns the minor version, such as 95 for `rustc 1.95.0 (59807616e 2026-04-14)`.
fn minor_version() -> Option<u32> {
    let output = Command::new(std::env::var_os("RUSTC")?).arg("--version").output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let (minor, _) = text.strip_prefix("rustc 1.")?.split_once('.')?;
    minor.parse().ok()
}
