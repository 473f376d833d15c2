//! The command line: the checks with their arguments, and the text of each for `--help`.

use crate::exports::FORMATS;
use crate::fuzz::Choice;
#[cfg(unix)]
use crate::measure::Measurements;
use clap::builder::PossibleValuesParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Examples:
  cargo xtask tutorial
  cargo xtask measure overhead
  cargo xtask guest fork

docs/internal/development.md lists the time of each and when to run it.";

/// The checks that take longer than a test.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) check: Check,
}

/// A check and its arguments. The comments are what `--help` prints.
#[derive(Clone, Debug, Subcommand)]
#[command(subcommand_value_name = "CHECK", subcommand_help_heading = "Checks")]
pub(crate) enum Check {
    /// Compare a million random values with a counting allocator, on each toolchain.
    Exactness,
    /// Compare intervals of 10,000 estimates of each class of values with the truth.
    Estimates,
    /// Test core's layouts of std on nightly, under Miri, under valgrind and with random layouts.
    Layouts,
    /// Compare the public API with its listings in docs/internal/api, on nightly.
    Api,
    /// Plant a defect for each check, and see that the check finds it.
    Controls {
        /// Run the controls of these checks (default: all).
        #[arg(value_name = "CHECK")]
        checks: Vec<String>,
    },
    /// Build the documentation as docs.rs does, on nightly, and follow its links.
    Docs,
    /// Build the facade with each feature alone and with none; test core and annotations without
    /// features.
    Features {
        /// Leave out the features that each add the types of one other crate.
        #[arg(long)]
        own: bool,
    },
    /// Compare the types of other crates with a counting allocator.
    ThirdParty,
    /// Follow docs/tutorial.md in a new package, and run programs whose output pages show.
    Tutorial,
    /// Compare candle's tensors with a counting allocator.
    Candle,
    /// Build core and the derive with Rust 1.85, and test a library that depends on core alone.
    MinimumRust,
    /// Test memprof around jemalloc, mimalloc and the system's allocator.
    Allocators,
    /// Model-check memprof-heap's lock-free parts with loom.
    Models,
    /// Run memprof-heap's tests under valgrind and nightly's sanitizers.
    Sanitize,
    /// Lint for other platforms, and test on Linux with aarch64 and with 32 bits.
    #[cfg(unix)]
    Platforms {
        /// Check the targets with one of these parts in their names (default: all).
        #[arg(value_name = "PART")]
        parts: Vec<String>,
    },
    /// Build the Python package and the example's module, and run their tests and the notebook.
    #[cfg(unix)]
    Python {
        /// Test with the oldest Python only.
        #[arg(long)]
        oldest: bool,
        /// Print `skipped:` where Python is missing.
        #[arg(long)]
        skip_if_missing: bool,
    },
    /// Build the GPU's checks into target/gpu, and run them here.
    Gpu,
    /// Count the lines of core's statistics that tests run; at least 95 %.
    Coverage,
    /// Measure speed, memory and compile times, and write docs/performance.md.
    #[cfg(unix)]
    Measure(Measurements),
    /// Short for `measure --check overhead`: instructions that the allocator adds to a call.
    #[cfg(unix)]
    Overhead,
    /// Short for `measure --check scaling`: time per name of profiles with a million names.
    #[cfg(unix)]
    Scaling,
    /// Print lines of Rust by crate, short files, and what users of the features compile.
    #[cfg(unix)]
    Shape {
        /// Count the lines of this other checkout, for a comparison.
        #[arg(long, value_name = "FOLDER")]
        root: Option<PathBuf>,
        /// Leave out the seconds to compile.
        #[arg(long)]
        no_compile: bool,
        /// List the files under 30 lines.
        #[arg(long)]
        list: bool,
    },
    /// Format, lint, type, test and bundle the page's scripts with Node's tools.
    Page {
        /// Change no file; fail if the bundle or the format differs.
        #[arg(long)]
        check: bool,
        /// Print `skipped:` where Node or its tools are missing and cannot be installed.
        #[arg(long)]
        skip_if_missing: bool,
    },
    /// Test pages in headless Chromium: figures, keyboard, hostile names, looks and speed.
    Browser {
        /// Run the checks with one of these parts in their names (default: all).
        #[arg(value_name = "PART")]
        parts: Vec<String>,
        /// Leave out the checks with a million calls, which limit times.
        #[arg(long)]
        no_speed: bool,
        /// Print `skipped:` where Node or Chromium is missing and cannot be installed.
        #[arg(long)]
        skip_if_missing: bool,
    },
    /// Draw docs/gallery from a session of the example `source_index`.
    Gallery,
    /// Check each exported format with third-party programs that read it.
    Exports {
        /// Check these formats (default: all).
        #[arg(value_name = "FORMAT", value_parser = PossibleValuesParser::new(FORMATS))]
        formats: Vec<String>,
    },
    /// Record a small program for the test that keeps the file format readable.
    Recording,
    /// Kill a recorded program 200 times; signal it; deny it disk and memory.
    #[cfg(unix)]
    Faults,
    /// Run each parser under libFuzzer and the address sanitizer, on nightly.
    Fuzz {
        /// Fuzz each of these targets (default: all) for this many seconds (default: 600).
        #[arg(value_name = "SECONDS|TARGET", value_parser = Choice::parse)]
        choices: Vec<Choice>,
    },
    /// Find the leaks of published crates, with the user's line and the crate's file.
    #[cfg(unix)]
    Leaks {
        /// Run the programs with one of these parts in their names (default: all).
        #[arg(value_name = "PART")]
        parts: Vec<String>,
    },
    /// Compare how a program behaves with and without memprof.
    #[cfg(unix)]
    Guest {
        /// Run the cases with one of these parts in their names (default: all).
        #[arg(value_name = "PART")]
        parts: Vec<String>,
    },
    /// Take 120,960 snapshots under a fast clock; memory and files stay bounded.
    Week,
    /// Take 10,000 snapshots of an idle program at each level; heap and RSS stay flat.
    Idle,
    /// Compare the peak memory of a service with and without memprof, with names and without.
    #[cfg(unix)]
    ServiceMemory,
}

/// Parses a command line, the program's name first.
///
/// # Errors
///
/// Returns the text to print: the help, or the wrong argument with the accepted ones.
pub(crate) fn parse(
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<Arguments, clap::Error> {
    Arguments::try_parse_from(arguments).map_err(|error| {
        match error.get(ContextKind::InvalidSubcommand) {
            Some(ContextValue::String(name)) => unknown(name),
            _ => error,
        }
    })
}

/// Returns the error for a check that does not exist.
fn unknown(name: &str) -> clap::Error {
    let mut command = Arguments::command();
    #[cfg(unix)]
    if Measurements::has(name) {
        let text = format!("`{name}` is a measurement; run `cargo xtask measure {name}`");
        return command.error(ErrorKind::InvalidSubcommand, text);
    }
    let checks = names(&command).join(", ");
    let text = format!("`{name}` is not a check; expected one of {checks}");
    command.error(ErrorKind::InvalidSubcommand, text)
}

/// Returns the names of all checks.
fn names(command: &clap::Command) -> Vec<String> {
    command.get_subcommands().map(|check| check.get_name().to_owned()).collect()
}

#[cfg(test)]
mod tests;
