//! A child process that receives the console events of this process: Windows.

use std::io;
use std::process::{Command, ExitStatus};

/// Runs a command to its end. The console sends Ctrl-C to the command too, so this process only has
/// to outlive the command.
pub(in super::super) fn run(command: &mut Command) -> io::Result<ExitStatus> {
    ctrlc::set_handler(|| {}).map_err(io::Error::other)?;
    command.spawn()?.wait()
}
