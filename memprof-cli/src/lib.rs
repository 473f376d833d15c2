//! The command `memprof`, which prints, compares, draws and converts memory profiles and recordings.
//!
//! [`main_with`] runs the command in the process of the caller. Programs that only read profiles use
//! the crate `memprof` instead.

mod arguments;
mod browser;
mod command;
mod escape;
mod failure;
mod input;
mod json;
mod output;
mod paint;
mod spawn_error;
mod statistics;
mod terminal;

use arguments::{Arguments, Command};
use failure::Failure;
use output::OutputError;
use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

/// Runs the command with these arguments, and returns its exit code. The first argument is the name
/// by which the command was called.
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
    if failure.is_quiet() {
        return ExitCode::SUCCESS;
    }
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
        Err(error) => report(&OutputError::printing(error).into()),
    }
}

fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let done = match &arguments.command {
        Command::Run(run) => return command::run::run(run),
        Command::Tree(tree) => command::tree::run(tree),
        Command::Top(top) => command::top::run(top),
        Command::Diff(diff) => command::diff::run(diff),
        Command::Flamegraph(flamegraph) => command::flamegraph::run(flamegraph),
        Command::Export(export) => command::export::run(export),
        Command::Info(info) => command::info::run(info),
        Command::Report(report) => command::report::run(report),
        Command::Ops(ops) => command::ops::run(ops),
        Command::Html(html) => command::html::run(html),
        Command::Gpu(gpu) => command::gpu::run(gpu),
        Command::Leaks(leaks) => command::leaks::run(leaks),
        Command::Symbolize(symbolize) => command::symbolize::run(symbolize),
        Command::Completions(completions) => command::completions::run(completions),
        Command::Man(man) => command::man::run(man),
    };
    done.map(|()| ExitCode::SUCCESS)
}
