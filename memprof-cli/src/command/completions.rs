//! `memprof completions`: a script that completes arguments in a shell.

use crate::arguments::{Arguments, CompletionsArguments};
use crate::failure::Failure;
use crate::output;
use clap::CommandFactory;

pub(crate) fn run(arguments: &CompletionsArguments) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "memprof", &mut script);
    Ok(output::print(|out| Ok(out.write_all(&script)?))?)
}
