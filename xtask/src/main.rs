//! The checks that take longer than a test: `cargo xtask NAME`.

mod browser;
mod built;
mod controls;
#[cfg(unix)]
mod cost;
mod exports;
mod fuzz;
mod gpu;
#[cfg(unix)]
mod guest;
mod layouts;
mod long;
#[cfg(unix)]
mod measure;
mod minimum_rust;
mod page;
#[cfg(unix)]
mod platforms;
mod proof;
#[cfg(unix)]
mod pull_request;
#[cfg(unix)]
mod python;
mod recording;
mod report;
mod runs;
mod sanitize;
#[cfg(unix)]
mod service_memory;
mod tools;
mod usage;

use clap::builder::PossibleValuesParser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, Parser, Subcommand};
#[cfg(unix)]
use measure::{Measurements, Name};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use usage::Usage;

type Failure = Box<dyn std::error::Error>;

const AFTER_HELP: &str = "\
Examples:
  cargo xtask exactness
  cargo xtask measure overhead
  cargo xtask guest fork

docs/internal/development.md lists the time of each and when to run it.";

/// The checks that take longer than a test.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", after_help = AFTER_HELP)]
struct Arguments {
    #[command(subcommand)]
    check: Check,
}

/// The parts of a check to run.
#[derive(Args, Clone, Debug)]
struct Parts {
    /// Run what has one of these parts in its name (default: all).
    #[arg(value_name = "PART")]
    parts: Vec<String>,
}

/// A check and its arguments. The comments are what `--help` prints.
#[derive(Clone, Debug, Subcommand)]
#[command(subcommand_value_name = "CHECK", subcommand_help_heading = "Checks")]
enum Check {
    /// Compare a million random values with a counting allocator, on each toolchain.
    Exactness,
    /// Compare intervals of 10,000 estimates of each class of values with the truth.
    Estimates,
    /// Plant a defect for each check, and see that the check finds it.
    Controls {
        /// Run the controls of these checks (default: all).
        #[arg(value_name = "CHECK")]
        checks: Vec<String>,
    },
    /// Test core's layouts of std on nightly, under Miri, under valgrind and with random layouts.
    Layouts(Parts),
    /// Check the `rust-version` of core, the derive and the facade with compilers of that version.
    MinimumRust,
    /// Model-check memprof-heap's lock-free parts with loom.
    Models,
    /// Run memprof-heap's tests under valgrind and nightly's sanitizers.
    Sanitize(Parts),
    /// Lint for other platforms, and test on Linux with aarch64 and with 32 bits.
    #[cfg(unix)]
    Platforms(Parts),
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
    /// Build the GPU's checks into target/gpu and run them here, or store the results in FOLDER.
    Gpu {
        /// The results of another machine.
        #[arg(value_name = "FOLDER")]
        results: Option<PathBuf>,
    },
    /// Measure speed, memory and compile times, and write docs/internal/measurements.md.
    #[cfg(unix)]
    Measure(Measurements),
    /// Short for `measure --check overhead`: instructions that the allocator adds to a call.
    #[cfg(unix)]
    Overhead,
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
        #[arg(value_name = "FORMAT", value_parser = PossibleValuesParser::new(exports::FORMATS))]
        formats: Vec<String>,
    },
    /// Record a small program for the test that keeps the file format readable.
    Recording,
    /// Run each parser under libFuzzer and the address sanitizer, on nightly.
    Fuzz {
        /// Fuzz these targets (default: all).
        #[arg(value_name = "TARGET", value_parser = PossibleValuesParser::new(fuzz::TARGETS))]
        targets: Vec<String>,
        /// Fuzz each target for this time.
        #[arg(long, default_value_t = 600)]
        seconds: u32,
    },
    /// Run the steps of the action for pull requests on three published programs.
    #[cfg(unix)]
    PullRequest,
    /// Find known leaks and bloat of published crates, with the user's line and the crate's file.
    Proof(Parts),
    /// Compare how a program behaves with and without memprof.
    #[cfg(unix)]
    Guest(Parts),
    /// Take 120,960 snapshots under a fast clock; memory and files stay bounded.
    Week,
    /// Take 10,000 snapshots of an idle program at each level; heap and RSS stay flat.
    Idle,
    /// Compare the peak memory of a service with and without memprof, with names and without.
    #[cfg(unix)]
    ServiceMemory,
}

fn main() -> ExitCode {
    #[cfg(unix)]
    if std::env::args_os().nth(1).is_some_and(|argument| argument == cost::MEASURED) {
        return cost::print(std::env::args_os().skip(2));
    }
    let check = match parse(std::env::args_os()) {
        Ok(check) => check,
        // Help is not an error. It goes to standard output with exit code 0.
        Err(error) => error.exit(),
    };
    match run(check) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cargo xtask: {error}");
            if error.is::<Usage>() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

/// Returns the text to print as the error: the help, or the wrong argument with the accepted ones.
fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Check, clap::Error> {
    let parsed = Arguments::try_parse_from(arguments).map(|arguments| arguments.check);
    parsed.map_err(|error| match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(name)) => {
            let mut command = Arguments::command();
            let checks: Vec<_> = command.get_subcommands().map(clap::Command::get_name).collect();
            let text = format!("`{name}` is not a check; expected one of {}", checks.join(", "));
            command.error(ErrorKind::InvalidSubcommand, text)
        }
        _ => error,
    })
}

fn run(check: Check) -> Result<(), Failure> {
    match check {
        Check::Exactness => long::exactness(),
        Check::Estimates => long::estimates(),
        Check::Controls { checks } => controls::run(&checks),
        Check::Layouts(Parts { parts }) => layouts::run(&parts),
        Check::MinimumRust => minimum_rust::run(),
        Check::Models => long::models(),
        Check::Sanitize(Parts { parts }) => sanitize::run(&parts),
        #[cfg(unix)]
        Check::Platforms(Parts { parts }) => platforms::run(&parts),
        #[cfg(unix)]
        Check::Python { oldest, skip_if_missing } => python::run(oldest, skip_if_missing),
        Check::Gpu { results } => gpu::run(results.as_deref()),
        #[cfg(unix)]
        Check::Measure(measurements) => measurements.run(),
        #[cfg(unix)]
        Check::Overhead => Measurements::check(Name::Overhead).run(),
        Check::Page { check, skip_if_missing } => {
            page::run(page::Choices { check, skip_if_missing })
        }
        Check::Browser { parts, no_speed, skip_if_missing } => {
            browser::run(&browser::Choices { parts, speed: !no_speed, skip_if_missing })
        }
        Check::Gallery => browser::gallery(),
        Check::Exports { formats } => exports::run(&formats),
        Check::Recording => recording::run(),
        Check::Fuzz { targets, seconds } => fuzz::run(&targets, seconds),
        #[cfg(unix)]
        Check::PullRequest => pull_request::run(),
        Check::Proof(Parts { parts }) => proof::run(&parts),
        #[cfg(unix)]
        Check::Guest(Parts { parts }) => guest::run(&parts),
        Check::Week => long::week(),
        Check::Idle => long::idle(),
        #[cfg(unix)]
        Check::ServiceMemory => service_memory::run(),
    }
}

fn cargo() -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(workspace());
    cargo
}

fn target(name: &str) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| workspace().join("target")).join(name)
}

fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[cfg(test)]
mod tests;
