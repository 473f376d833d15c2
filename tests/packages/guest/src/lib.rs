//! A program that behaves like hosts of a profiler. It runs one case, with or without memprof.
//!
//! `cargo xtask guest` runs each case in both programs and compares what a user can observe.

#![allow(
    clippy::exhaustive_enums,
    clippy::exhaustive_structs,
    reason = "this package is not published"
)]
#![cfg(unix)]

mod cases;
mod observed;
mod parts;

pub use cases::run;
pub use parts::{Frail, Part, Stuck};

use std::error::Error;
use std::path::Path;

/// The calls of a case to a profiler. The plain program has a profiler that does nothing.
pub trait Profiler {
    /// Starts to record into `folder` and profiles the parts of the program.
    ///
    /// # Errors
    /// Returns an error if the profiler cannot start. The case then fails, because `main` returns
    /// the error.
    fn start(&self, folder: &Path, parts: Vec<Part>) -> Result<Box<dyn Recorder>, Box<dyn Error>>;

    /// Runs `work` as a named operation.
    fn operation(&self, work: &mut dyn FnMut());
}

/// A running recording.
pub trait Recorder {
    /// Takes a snapshot now.
    fn checkpoint(&self);

    /// Ends the recording.
    fn finish(self: Box<Self>);
}
