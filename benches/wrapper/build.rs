//! Passes the version of the compiler to the program.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let version = output.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    if let Some(version) = version {
        println!("cargo::rustc-env=WRAPPER_RUSTC={}", version.trim());
    }
}
