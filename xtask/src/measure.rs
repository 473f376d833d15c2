//! `cargo xtask measure`: figures of speed, memory and compile times, kept in
//! `docs/internal/measurements.md`.

mod bench;
mod compile_time;
mod large_files;
mod latency;
mod overhead;
mod page;
mod session_cost;

use crate::Failure;
use crate::usage::Usage;
use clap::{Args, ValueEnum};
use std::fmt;

/// The measurements to run, and their options.
#[derive(Args, Clone, Debug)]
pub(crate) struct Measurements {
    /// Run these measurements (default: all).
    #[arg(value_name = "NAME")]
    names: Vec<Name>,
    /// Compare figures with their bars (the limits that they must keep), and leave
    /// docs/internal/measurements.md as it is.
    #[arg(long)]
    check: bool,
}

/// A measurement. The comments are what `--help` prints. A *bar* is a limit that a figure must
/// keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Name {
    /// The comparison of `cargo bench`; has bars.
    Table,
    /// CPU time to compile the derive, compared with serde's; has a bar.
    CompileTime,
    /// Time and memory of each command on a profile of a million leaves; has bars.
    LargeFiles,
    /// Instructions that global allocators add to a call; has bars.
    Overhead,
    /// The latency of a service that parses and answers JSON, under each level.
    Latency,
    /// CPU time that recording adds to an indexer of sources.
    SessionCost,
    /// Time that writers wait for a root that a session profiles.
    Politeness,
}

impl Name {
    fn has_bars(self) -> bool {
        !matches!(self, Self::Latency | Self::SessionCost | Self::Politeness)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_possible_value().map_or(Ok(()), |value| f.write_str(value.get_name()))
    }
}

pub(crate) struct Measured {
    /// Markdown for the page.
    printed: String,
    missed: Option<String>,
}

impl Measurements {
    pub(crate) fn check(name: Name) -> Self {
        Self { names: vec![name], check: true }
    }

    /// Runs each measurement. A failure or a missed bar does not stop the others.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut failed = Vec::new();
        for name in self.chosen()? {
            let outcome = measure(name).and_then(|measured| {
                println!("{}", measured.printed.trim_end());
                if !self.check {
                    page::store(name, &measured.printed)?;
                }
                measured.missed.map_or(Ok(()), |missed| Err(missed.into()))
            });
            if let Err(error) = outcome {
                failed.push(format!("{name}: {error}"));
            }
        }
        if failed.is_empty() { Ok(()) } else { Err(failed.join("; ").into()) }
    }

    fn chosen(&self) -> Result<Vec<Name>, Usage> {
        let accepted = |name: &Name| !self.check || name.has_bars();
        if let Some(name) = self.names.iter().find(|name| !accepted(name)) {
            return Err(Usage(format!("`{name}` has no bar to check")));
        }
        let is_named = |name: &Name| self.names.is_empty() || self.names.contains(name);
        let all = Name::value_variants().iter().copied();
        Ok(all.filter(is_named).filter(accepted).collect())
    }
}

fn measure(name: Name) -> Result<Measured, Failure> {
    eprintln!("== {name}");
    match name {
        Name::Table => bench::TABLE.run(),
        Name::CompileTime => compile_time::measure(),
        Name::LargeFiles => large_files::measure(),
        Name::Overhead => overhead::measure(),
        Name::Latency => latency::measure(),
        Name::SessionCost => session_cost::measure(),
        Name::Politeness => bench::POLITENESS.run(),
    }
}
