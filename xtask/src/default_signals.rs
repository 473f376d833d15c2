//! Commands whose program has the system's default signal handlers.

use std::ffi::OsStr;
use std::process::Command;

/// Returns a command that runs `program` with default signal handlers. A shell's background job
/// ignores SIGINT. If this check is part of such a job, the program would ignore SIGINT too.
pub(crate) fn with_default_signals(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("env");
    command.arg("--default-signal=INT,TERM").arg(program);
    command
}
