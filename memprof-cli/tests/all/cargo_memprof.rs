//! Tests of `cargo memprof`, with packages that have no dependencies.

use crate::memprof::{Ran, file, folder};
use std::path::Path;
use std::process::Command;

const MANIFEST: &str = "
[package]
name = \"host\"
edition = \"2021\"

[workspace]

[profile.release]
opt-level = 0
";

/// A program that prints its arguments and what `memprof run` sets, and ends with an exit code.
const PROGRAM: &str = r#"
fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    println!("{arguments:?} {:?}", std::env::var("MEMPROF"));
    std::process::exit(7);
}

#[test]
fn runs_below_memprof() {
    assert_eq!(std::env::var("MEMPROF").as_deref(), Ok("1"));
}
"#;

fn cargo_memprof(package: &Path, arguments: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-memprof"));
    // The tests' own settings of cargo would change where and how it builds.
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("CARGO_") && !matches!(&*name, "CARGO_HOME") {
            command.env_remove(&*name);
        }
    }
    command.arg("memprof").args(arguments).current_dir(package);
    command.output().expect("cargo-memprof starts").into()
}

fn package(name: &str) -> std::path::PathBuf {
    // A space, as in the path of a user's own files.
    let package = folder(&format!("cargo memprof {name}"));
    file(&package, "Cargo.toml", MANIFEST);
    std::fs::create_dir(package.join("src")).expect("the folder is new");
    file(&package.join("src"), "main.rs", PROGRAM);
    package
}

#[test]
fn a_program_runs_with_its_arguments_and_keeps_its_exit_code() {
    let ran = cargo_memprof(&package("run"), &["run", "--offline", "-q", "--", "--depth", "a b"]);
    assert_eq!(ran.out, "[\"--depth\", \"a b\"] Ok(\"1\")\n", "{ran:?}");
    assert_eq!(ran.code, Some(7), "{ran:?}");
    assert!(ran.err.contains("memprof: no recording was written"), "{ran:?}");
}

#[test]
fn tests_run_below_memprof() {
    let ran = cargo_memprof(&package("test"), &["test", "--offline", "--release"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.contains("1 passed"), "{ran:?}");
}

#[test]
fn an_unknown_command_is_an_error_with_the_three_that_exist() {
    let ran = cargo_memprof(&package("unknown"), &["build"]);
    let expected = "cargo-memprof: no command `build`; use `run`, `test` or `bench`\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), expected));
}
