//! The program `cargo-memprof`, which cargo starts for `cargo memprof run`, `test` and `bench`.
//!
//! cargo itself builds the program, so that every package, feature and profile of a `cargo run`
//! works here too. It starts each executable through a *runner*, and that runner is `memprof run`.
//! The alternative, building with `--message-format=json` and starting the executables from here,
//! has to repeat how cargo chooses an executable, sets its environment and passes its arguments.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const HELP: &str = "\
Run a program, its tests or its benchmarks with `memprof run`

Usage: cargo memprof <run|test|bench> [OPTIONS OF CARGO] [-- ARGUMENTS]

Every option is cargo's. The variables `MEMPROF_OUTPUT_DIR`, `MEMPROF_INTERVAL` and `MEMPROF_LEVEL`
set up the recording.

The profiles `release` and `bench` are built with `debug = \"line-tables-only\"` and `strip = \"none\"`,
whatever `Cargo.toml` says; set `CARGO_PROFILE_RELEASE_DEBUG` or `CARGO_PROFILE_RELEASE_STRIP` to
choose other values. A `runner` for the target in a configuration file of cargo is replaced.

Examples:
  cargo memprof run --release                       a program
  cargo memprof run --example server -- --port 80   an example with arguments
  cargo memprof test --test load                    a test that starts a session
";

/// Settings that name the call sites of a recording, unless the user has chosen others.
const PROFILE: [(&str, &str); 2] =
    [("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only"), ("CARGO_PROFILE_RELEASE_STRIP", "none")];

fn main() -> ExitCode {
    // cargo passes the name of the subcommand first: `cargo-memprof memprof run`.
    let mut words = env::args_os().skip(1).peekable();
    words.next_if(|word| word == "memprof");
    let Some(command) = words.next() else {
        eprint!("{HELP}");
        return ExitCode::from(2);
    };
    match command.to_str() {
        Some("run" | "test" | "bench") => start(&command, words).unwrap_or_else(|message| {
            eprintln!("cargo-memprof: {message}");
            ExitCode::FAILURE
        }),
        Some("-h" | "--help" | "help") => {
            print!("{HELP}");
            ExitCode::SUCCESS
        }
        Some("-V" | "--version") => {
            println!("cargo-memprof {}", env!("CARGO_PKG_VERSION"));
            ExitCode::SUCCESS
        }
        _ => {
            let command = command.to_string_lossy();
            eprintln!("cargo-memprof: no command `{command}`; use `run`, `test` or `bench`");
            ExitCode::from(2)
        }
    }
}

/// Runs a command of cargo with `memprof run` as the runner, and returns cargo's exit code.
fn start(command: &OsStr, rest: impl Iterator<Item = OsString>) -> Result<ExitCode, String> {
    let rest: Vec<OsString> = rest.collect();
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut cargo = Command::new(cargo);
    set_runner(&mut cargo, &memprof()?, &targets(&rest)?)?;
    cargo.arg(command).args(&rest);
    for (name, value) in PROFILE {
        if env::var_os(name).is_none() {
            cargo.env(name, value);
        }
    }
    let status = cargo.status().map_err(|error| format!("cannot start cargo: {error}"))?;
    // A signal that ended cargo leaves no code.
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

fn memprof() -> Result<PathBuf, String> {
    let this = env::current_exe().map_err(|error| format!("cannot find `memprof`: {error}"))?;
    let memprof = this.with_file_name(format!("memprof{}", env::consts::EXE_SUFFIX));
    if memprof.is_file() {
        return Ok(memprof);
    }
    Err(format!("{} does not exist; reinstall `memprof-cli`", memprof.display()))
}

/// Reads `--target`, else the environment, else the host's triple.
fn targets(arguments: &[OsString]) -> Result<Vec<String>, String> {
    let mut triples = Vec::new();
    let mut words = arguments.iter().map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        if word == "--" {
            break;
        }
        if word == "--target" {
            triples.extend(words.next().map(String::from));
        } else if let Some(triple) = word.strip_prefix("--target=") {
            triples.push(triple.to_owned());
        }
    }
    if triples.is_empty() {
        triples.extend(env::var("CARGO_BUILD_TARGET"));
    }
    if triples.is_empty() {
        triples.push("host-tuple".to_owned());
    }
    for triple in triples.iter_mut().filter(|triple| *triple == "host-tuple") {
        *triple = host()?;
    }
    Ok(triples)
}

fn host() -> Result<String, String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output();
    let output = output.map_err(|error| format!("cannot start rustc: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "`rustc -vV` did not print its host".to_owned())
}

/// Makes cargo start every executable with `memprof run`.
///
/// The user's configuration may have a runner already. A variable for the exact triple overrides
/// all of them: one for `cfg(…)`, one for the triple as a string, and one as an array. An option
/// `--config` fails if the user's value has the other type.
fn set_runner(cargo: &mut Command, memprof: &Path, triples: &[String]) -> Result<(), String> {
    let path = memprof.to_str().ok_or_else(|| {
        format!("the path {} is not UTF-8, which cargo settings must be", memprof.display())
    })?;
    // cargo splits the variable at spaces, so a path that has one is found through `PATH`.
    let mut program = path;
    if path.contains(char::is_whitespace) {
        program = "memprof";
        let folder = memprof.parent().map(Path::to_owned);
        let paths = env::var_os("PATH").unwrap_or_default();
        let paths = env::join_paths(folder.into_iter().chain(env::split_paths(&paths)));
        cargo.env("PATH", paths.map_err(|error| format!("cannot extend `PATH`: {error}"))?);
    }
    for triple in triples {
        let name = triple.replace(['-', '.'], "_").to_uppercase();
        cargo.env(format!("CARGO_TARGET_{name}_RUNNER"), format!("{program} run --"));
    }
    // For a target that only a configuration file names.
    let path = path.replace('\\', "\\\\").replace('"', "\\\"");
    cargo.arg("--config");
    cargo.arg(format!("target.'cfg(all())'.runner = [\"{path}\", \"run\", \"--\"]"));
    Ok(())
}
