//! The checks that take longer than a test: `cargo xtask NAME`.

mod allocators;
mod api;
mod arguments;
mod browser;
mod built;
mod controls;
#[cfg(unix)]
mod cost;
mod coverage;
#[cfg(unix)]
mod default_signals;
#[cfg(all(test, unix))]
mod development;
mod docs;
mod exactness;
mod exports;
#[cfg(unix)]
mod faults;
mod features;
mod fuzz;
mod gpu;
#[cfg(unix)]
mod guest;
mod layouts;
#[cfg(unix)]
mod leaks;
mod long_tests;
#[cfg(unix)]
mod measure;
mod minimum_rust;
mod models;
mod outcomes;
mod page;
#[cfg(unix)]
mod platforms;
#[cfg(unix)]
mod python;
mod recording;
mod sanitize;
#[cfg(unix)]
mod service_memory;
#[cfg(unix)]
mod shape;
mod third_party;
mod tools;
mod tutorial;
mod usage;

use arguments::Check;
use browser::Choices;
#[cfg(unix)]
use measure::{Measurements, Name};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use usage::Usage;

/// The reason why a check failed.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    #[cfg(unix)]
    if std::env::args_os().nth(1).is_some_and(|argument| argument == cost::MEASURED) {
        return cost::print(std::env::args_os().skip(2));
    }
    let check = match arguments::parse(std::env::args_os()) {
        Ok(arguments) => arguments.check,
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

fn run(check: Check) -> Result<(), Failure> {
    match check {
        Check::Exactness => exactness::run(),
        Check::Estimates => long_tests::ESTIMATES.run(),
        Check::Layouts => layouts::run(),
        Check::Api => api::run(),
        Check::Controls { checks } => controls::run(&checks),
        Check::Docs => docs::run(),
        Check::Features { own } => features::run(own),
        Check::ThirdParty => third_party::run(),
        Check::Tutorial => tutorial::run(),
        Check::Candle => third_party::candle(),
        Check::MinimumRust => minimum_rust::run(),
        Check::Allocators => allocators::run(),
        Check::Models => models::run(),
        Check::Sanitize => sanitize::run(),
        #[cfg(unix)]
        Check::Platforms { parts } => platforms::run(&parts),
        #[cfg(unix)]
        Check::Python { oldest, skip_if_missing } => python::run(oldest, skip_if_missing),
        Check::Gpu => gpu::run(),
        Check::Coverage => coverage::run(),
        #[cfg(unix)]
        Check::Measure(measurements) => measurements.run(),
        #[cfg(unix)]
        Check::Overhead => Measurements::check(Name::Overhead).run(),
        #[cfg(unix)]
        Check::Scaling => Measurements::check(Name::Scaling).run(),
        #[cfg(unix)]
        Check::Shape { root, no_compile, list } => {
            shape::run(&shape::Choices { root, compile: !no_compile, list })
        }
        Check::Browser { parts, no_speed, skip_if_missing } => {
            browser::run(&Choices { parts, speed: !no_speed, skip_if_missing })
        }
        Check::Page { check, skip_if_missing } => {
            page::run(page::Choices { check, skip_if_missing })
        }
        Check::Gallery => browser::gallery(),
        Check::Exports { formats } => exports::run(&formats),
        Check::Recording => recording::run(),
        #[cfg(unix)]
        Check::Faults => faults::run(),
        Check::Fuzz { choices } => fuzz::run(&choices),
        #[cfg(unix)]
        Check::Guest { parts } => guest::run(&parts),
        #[cfg(unix)]
        Check::Leaks { parts } => leaks::run(&parts),
        Check::Week => long_tests::WEEK.run(),
        Check::Idle => long_tests::IDLE.run(),
        #[cfg(unix)]
        Check::ServiceMemory => service_memory::run(),
    }
}

/// Returns a cargo command in the root of the workspace.
fn cargo() -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(workspace());
    cargo
}

/// Returns the path of this name in the target folder, for example a check's own folder.
fn target(name: &str) -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| workspace().join("target")).join(name)
}

/// Returns the root of the workspace.
fn workspace() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}
