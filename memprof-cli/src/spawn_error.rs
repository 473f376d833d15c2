//! The error of a command that `memprof run` could not start.

use crate::escape::escaped;
use core::fmt;
use std::error::Error;
use std::ffi::OsStr;
use std::io;

#[derive(Debug)]
pub(crate) struct SpawnError {
    command: String,
    /// `true` if a file with the command's name exists.
    exists: bool,
    error: io::Error,
}

impl SpawnError {
    pub(crate) fn of(command: &OsStr, exists: bool, error: io::Error) -> Self {
        let command =
            if command.is_empty() { "\"\"".into() } else { escaped(&command.to_string_lossy()) };
        Self { command, exists, error }
    }

    /// Returns a shell's exit code: 127 if there is no such command, 126 if it cannot be run.
    pub(crate) fn exit_code(&self) -> u8 {
        if self.error.kind() == io::ErrorKind::NotFound && !self.exists { 127 } else { 126 }
    }
}

impl fmt::Display for SpawnError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: ", self.command)?;
        match self.error.kind() {
            io::ErrorKind::NotFound if self.exists => {
                out.write_str("cannot be run: its interpreter or loader does not exist")
            }
            io::ErrorKind::NotFound => out.write_str(
                "no such command; give a program in `PATH`, or a path such as `./target/release/app`",
            ),
            io::ErrorKind::PermissionDenied => out.write_str(
                "not executable; build the program first, or run `chmod +x`",
            ),
            _ => write!(out, "cannot be run: {}", self.error),
        }
    }
}

// `Display` contains the reason of the operating system.
impl Error for SpawnError {}
