//! The error of a command: what it prints, and its exit code.
//!
//! A command only prints an error, and no code matches on the reason. So the place that fails writes
//! the reason and the next step, and a caller adds the name of the file.

use crate::terminal::escaped;
use core::fmt::Display;
use memprof_profile::text::WithCauses;
use std::error::Error;
use std::io;

#[derive(Debug)]
pub(crate) struct Failure {
    /// The file or the argument, once it is known.
    name: Option<String>,
    lines: Vec<String>,
    exit_code: u8,
    /// The error of the operating system, if it is among the causes.
    system: Option<io::Error>,
}

impl Failure {
    pub(crate) fn of(name: impl Display, reason: impl Display) -> Self {
        Self::because(reason).about(name)
    }

    /// Creates a failure whose file a caller [adds](Self::about).
    pub(crate) fn because(reason: impl Display) -> Self {
        Self { name: None, lines: vec![reason.to_string()], exit_code: 2, system: None }
    }

    /// Creates the failure of checks, with a line for each. The command itself succeeded.
    pub(crate) fn of_checks(lines: Vec<String>) -> Self {
        Self { name: None, lines, exit_code: 1, system: None }
    }

    /// Adds the name of the file or the argument, unless the failure already has one.
    pub(crate) fn about(mut self, name: impl Display) -> Self {
        self.name.get_or_insert_with(|| name.to_string());
        self
    }

    pub(crate) fn with_exit_code(mut self, exit_code: u8) -> Self {
        self.exit_code = exit_code;
        self
    }

    /// Converts the failure of a writer to that of its output.
    pub(crate) fn of_output(self, target: impl Display) -> Self {
        match &self.system {
            // `memprof tree FILE | head` does not fail.
            Some(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                Self { lines: Vec::new(), exit_code: 0, ..self }
            }
            Some(error) => {
                Self::of(target, format!("could not write: {error}; the disk may be full"))
            }
            None if self.name.is_some() => self,
            None => Self::of(target, format!("could not write: {}", self.lines.join("; "))),
        }
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        let name = self.name.as_ref().map_or_else(String::new, |name| format!("{name}: "));
        self.lines.iter().map(|line| escaped(&format!("{name}{line}"))).collect()
    }

    pub(crate) fn exit_code(&self) -> u8 {
        self.exit_code
    }
}

impl<E: Error + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        let error: &(dyn Error + 'static) = &error;
        let mut causes = core::iter::successors(Some(error), |error| (*error).source());
        let system: Option<&io::Error> = causes.find_map(<dyn Error>::downcast_ref);
        let system = system.map(|error| io::Error::new(error.kind(), error.to_string()));
        Self { system, ..Self::because(WithCauses(error)) }
    }
}
