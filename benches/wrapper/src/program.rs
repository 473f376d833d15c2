//! The program's entry point: it takes arguments, prints text and returns an exit code.

use crate::backend::Failure;
use crate::report::Report;
use crate::run::{Arguments, run};
use core::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

/// Runs the program with the arguments of a command line.
pub fn program(command_line: impl IntoIterator<Item = String>) -> ExitCode {
    let arguments = match Arguments::parse(command_line) {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let mut report = Report::default();
    let measured = run(&arguments, &mut report);
    let printed = match write!(io::stdout(), "{report}") {
        // The reader may have closed the pipe early, as `head` does.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::from(error)),
        _ => Ok(()),
    };
    match measured.and(printed) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            let mut cause: Option<&(dyn Error + 'static)> = error.source();
            while let Some(error) = cause {
                eprintln!("  because: {error}");
                cause = error.source();
            }
            ExitCode::FAILURE
        }
    }
}
