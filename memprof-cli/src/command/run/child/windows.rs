//! A child process that receives the console events of this process: Windows.

use super::Ended;
use std::io;
use std::process::Command;

/// Runs a command to its end. The console sends Ctrl-C to the command too, so this process only has
/// to outlive the command.
pub(in super::super) fn run(command: &mut Command) -> io::Result<Ended> {
    ctrlc::set_handler(|| {}).map_err(io::Error::other)?;
    let mut child = command.spawn()?;
    Ok(Ended { pid: child.id(), status: child.wait()? })
}
