//! Commands whose program answers signals as the system does by default.

use std::ffi::OsStr;
use std::process::Command;

/// A command that runs `program`. A shell's background job ignores SIGINT, and this check may be part
/// of one: so would the program.
pub(crate) fn with_default_signals(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("env");
    command.arg("--default-signal=INT,TERM").arg(program);
    command
}
