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
strip = true
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
    start(Path::new(env!("CARGO_BIN_EXE_cargo-memprof")), package, arguments)
}

fn start(cargo_memprof: &Path, package: &Path, arguments: &[&str]) -> Ran {
    let mut command = Command::new(cargo_memprof);
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

/// Writes a configuration file of cargo.
fn configure(package: &Path, text: &str) {
    let folder = package.join(".cargo");
    std::fs::create_dir_all(&folder).expect("the package is writable");
    file(&folder, "config.toml", text);
}

fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc starts");
    let text = String::from_utf8(output.stdout).expect("rustc prints UTF-8");
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("rustc prints its host").to_owned()
}

#[test]
fn a_runner_in_the_users_configuration_is_replaced() {
    let package = package("runner");
    let host = host();
    for configuration in [
        "[target.'cfg(any(unix, windows))']\nrunner = 'no-such-runner'".to_owned(),
        format!("[target.{host}]\nrunner = 'no-such-runner --option'"),
        format!("[target.{host}]\nrunner = ['no-such-runner', '--option']"),
    ] {
        configure(&package, &configuration);
        for target in [&[][..], &["--target", &host], &[&format!("--target={host}")]] {
            let ran = cargo_memprof(&package, &[&["run", "--offline", "-q"], target].concat());
            assert_eq!(ran.out, "[] Ok(\"1\")\n", "{configuration}, {target:?}: {ran:?}");
        }
    }
}

#[test]
fn a_target_in_the_users_configuration_runs_below_memprof() {
    let package = package("target");
    configure(&package, &format!("[build]\ntarget = '{}'", host()));
    let ran = cargo_memprof(&package, &["run", "--offline", "-q"]);
    assert_eq!(ran.out, "[] Ok(\"1\")\n", "{ran:?}");
}

#[test]
fn a_folder_with_spaces_may_hold_the_programs() {
    let package = package("installed");
    let mut installed = Vec::new();
    for program in [env!("CARGO_BIN_EXE_memprof"), env!("CARGO_BIN_EXE_cargo-memprof")] {
        let copy = package.join(Path::new(program).file_name().expect("it is a file"));
        std::fs::hard_link(program, &copy).expect("the package is in the same target folder");
        installed.push(copy);
    }
    let ran = start(&installed[1], &package, &["run", "--offline", "-q"]);
    assert_eq!(ran.out, "[] Ok(\"1\")\n", "{ran:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn release_builds_keep_their_symbols_and_lines() {
    let package = package("strip");
    let ran = cargo_memprof(&package, &["run", "--offline", "-q", "--release"]);
    assert_eq!(ran.code, Some(7), "{ran:?}");
    let program = std::fs::read(package.join("target/release/host")).expect("cargo builds it");
    for section in [".symtab", ".debug_line"] {
        let bytes = section.as_bytes();
        let has = program.windows(bytes.len()).any(|window| window == bytes);
        assert!(has, "no section {section}");
    }
}

#[test]
fn version_is_that_of_the_package() {
    let ran = cargo_memprof(Path::new("."), &["--version"]);
    let expected = concat!("cargo-memprof ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), expected));
}

#[test]
fn an_unknown_command_is_an_error_with_the_three_that_exist() {
    let ran = cargo_memprof(&package("unknown"), &["build"]);
    let expected = "cargo-memprof: no command `build`; use `run`, `test` or `bench`\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), expected));
}
