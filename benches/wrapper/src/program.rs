//! The program's entry point: it takes arguments, prints text and returns an exit code.

use crate::backend::Failure;
use crate::report::{Report, with_causes};
use crate::run::{Arguments, run};
use std::io::{self, Write};
use std::process::ExitCode;

/// Runs the program with the words of a command line.
pub fn program(words: impl IntoIterator<Item = String>) -> ExitCode {
    let arguments = Arguments::from_words(words).unwrap_or_else(|error| error.exit());
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
            eprintln!("{}", with_causes(error.as_ref()));
            ExitCode::FAILURE
        }
    }
}
