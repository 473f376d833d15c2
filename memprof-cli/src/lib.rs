//! The command `memprof`, which prints, compares, draws and converts memory profiles and recordings.
//!
//! [`main_with`] runs the command in the process of the caller. Programs that only read profiles use
//! the crate `memprof` instead.

mod arguments;
mod command;
mod failure;
mod input;
mod output;
mod terminal;

use arguments::{Arguments, Command};
use command::{convert, diff, gpu, html, info, manual, profile, recording};
use failure::Failure;
use output::Target;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Runs the command with these arguments, and returns its exit code. The first argument is the name
/// under which the command was called.
///
/// The command prints to the standard output and standard error of this process.
///
/// ```
/// let arguments = ["memprof", "--version"];
/// let _code = memprof_cli::main_with(arguments.map(Into::into));
/// ```
#[must_use = "the exit code of the process"]
pub fn main_with(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::from_words(arguments) {
        Ok(arguments) => arguments,
        Err(error) => return print_of_clap(&error),
    };
    match run(&arguments) {
        Ok(code) => code,
        Err(failure) => report(&failure),
    }
}

fn report(failure: &Failure) -> ExitCode {
    // Ignore a failure, because there is no other place to report that standard error is closed.
    for line in failure.lines() {
        let _ = writeln!(std::io::stderr(), "memprof: {line}");
    }
    ExitCode::from(failure.exit_code())
}

/// Prints the help or an error of the arguments, and returns the exit code.
fn print_of_clap(error: &clap::Error) -> ExitCode {
    let printed = error.print();
    if error.use_stderr() {
        return ExitCode::from(2);
    }
    match printed {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => report(&Failure::from(error).of_output(Target::Standard)),
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let done = match &arguments.command {
        Command::Run(run) => return command::run::run(run),
        Command::Tree(arguments) => profile::tree(arguments),
        Command::Top(arguments) => profile::top(arguments),
        Command::Diff(arguments) => diff::run(arguments),
        Command::Flamegraph(arguments) => convert::flamegraph(arguments),
        Command::Export(arguments) => convert::export(arguments),
        Command::Info(arguments) => info::run(arguments),
        Command::Report(arguments) => profile::report(arguments),
        Command::Ops(arguments) => recording::ops(arguments),
        Command::Html(arguments) => html::run(arguments),
        Command::Gpu(arguments) => gpu::run(arguments),
        Command::Leaks(arguments) => recording::leaks(arguments),
        Command::Symbolize(arguments) => convert::symbolize(arguments),
        Command::Completions(arguments) => manual::completions(arguments),
        Command::Man(arguments) => manual::man(arguments),
    };
    done.map(|()| ExitCode::SUCCESS)
}
