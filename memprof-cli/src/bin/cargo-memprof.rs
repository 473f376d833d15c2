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
set up the recording. The profiles `release` and `bench` are built with the lines of call sites,
unless `CARGO_PROFILE_RELEASE_DEBUG` is set.

Examples:
  cargo memprof run --release                       a program
  cargo memprof run --example server -- --port 80   an example with arguments
  cargo memprof test --test load                    a test that starts a session
";

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
        _ => {
            let command = command.to_string_lossy();
            eprintln!("cargo-memprof: no command `{command}`; use `run`, `test` or `bench`");
            ExitCode::from(2)
        }
    }
}

/// Runs a command of cargo with `memprof run` as the runner, and returns cargo's exit code.
fn start(command: &OsStr, rest: impl Iterator<Item = OsString>) -> Result<ExitCode, String> {
    let memprof = memprof()?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut cargo = Command::new(cargo);
    cargo.arg("--config").arg(runner(&memprof)?).arg(command).args(rest);
    if env::var_os("CARGO_PROFILE_RELEASE_DEBUG").is_none() {
        cargo.env("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only");
    }
    let status = cargo.status().map_err(|error| format!("cannot start cargo: {error}"))?;
    // A signal that ended cargo leaves no code.
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// Returns the path of the program `memprof`, which `cargo install` puts beside this one.
fn memprof() -> Result<PathBuf, String> {
    let this = env::current_exe().map_err(|error| format!("cannot find `memprof`: {error}"))?;
    let memprof = this.with_file_name(format!("memprof{}", env::consts::EXE_SUFFIX));
    if memprof.is_file() {
        return Ok(memprof);
    }
    Err(format!("{} does not exist; install `memprof-cli` again", memprof.display()))
}

/// Returns the setting of cargo that starts every executable with `memprof run`. An array keeps
/// spaces in the path, which the variable `CARGO_TARGET_…_RUNNER` would split.
fn runner(memprof: &Path) -> Result<String, String> {
    let path = memprof.to_str().ok_or_else(|| {
        format!("the path {} is not UTF-8, which settings of cargo must be", memprof.display())
    })?;
    let path = path.replace('\\', "\\\\").replace('"', "\\\"");
    Ok(format!("target.'cfg(all())'.runner = [\"{path}\", \"run\", \"--\"]"))
}
