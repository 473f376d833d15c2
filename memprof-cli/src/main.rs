//! `memprof`: prints, compares, draws and converts memory profiles and recordings.

mod arguments;
mod command;
mod escape;
mod failure;
mod input;
mod json;
mod output;
mod paint;
mod statistics;
mod terminal;

use arguments::{Arguments, Command};
use clap::Parser;
use failure::Failure;
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Ignore a failure, for example if the reader of the help has closed the pipe.
            let _ = error.print();
            return if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS };
        }
    };
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) if failure.is_quiet() => ExitCode::SUCCESS,
        Err(failure) => {
            // Ignore a failure, because there is no other place to report that standard error is
            // closed.
            let _ = writeln!(std::io::stderr(), "memprof: {failure}");
            ExitCode::from(failure.exit_code())
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
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
    }
}
