//! `cargo xtask faults`: a recorded program that is killed, signalled, and denied disk and memory.

mod command_line;
mod complete;
mod ends;
mod kills;
mod program;

use crate::Failure;
use program::Program;

/// The result of a check in figures, or an error.
type Checked = Result<String, Failure>;

/// A check and its name.
type Check = (&'static str, fn(&Program) -> Checked);

const CHECKS: &[Check] = &[
    ("complete run", complete::finds_the_leak),
    ("command line", command_line::reads_the_files),
    ("kill -9", kills::two_hundred),
    ("SIGINT", ends::interrupt),
    ("SIGTERM", ends::terminate),
    ("SIGUSR1", ends::user1),
    ("Ctrl-C twice", ends::twice),
    ("full disk", ends::full_disk),
    ("no such folder", ends::no_folder),
    ("removed folder", ends::removed_folder),
    ("no memory", ends::no_memory),
];

pub(crate) fn run() -> Result<(), Failure> {
    let program = Program::build()?;
    let checked = CHECKS.iter().map(|(name, check)| (name, check(&program)));
    let checked: Vec<_> = checked.collect();
    let mut failed = 0;
    for (name, outcome) in checked {
        match outcome {
            Ok(figures) => println!("{name:<15} {figures}"),
            Err(error) => {
                failed += 1;
                println!("{name:<15} FAILED: {error}");
            }
        }
    }
    if failed == 0 { Ok(()) } else { Err(format!("{failed} checks failed").into()) }
}
