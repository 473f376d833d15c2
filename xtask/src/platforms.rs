//! `cargo xtask platforms`: types and lints of the workspace for other platforms. For platforms
//! that this machine can emulate, it runs tests too.

mod check;
mod machine;

use crate::Failure;
use crate::usage::chosen;
use machine::{AARCH64, I686, Machine};

/// A platform, by the compiler's name for it.
struct Platform {
    target: &'static str,
    /// Packages of the workspace that do not build for the platform.
    excluded: &'static [&'static str],
    /// The linker and the runner (such as QEMU) with which this host builds and runs the platform's
    /// tests. If it is `None`, the tests are not run.
    machine: Option<Machine>,
}

const PLATFORMS: [Platform; 6] = [
    Platform { target: "x86_64-pc-windows-msvc", excluded: NOT_FOR_WINDOWS, machine: None },
    Platform { target: "aarch64-apple-darwin", excluded: &[], machine: None },
    Platform { target: "aarch64-unknown-linux-gnu", excluded: &[], machine: Some(AARCH64) },
    Platform { target: "i686-unknown-linux-gnu", excluded: &[], machine: Some(I686) },
    Platform { target: "aarch64-linux-android", excluded: &[], machine: None },
    Platform { target: "x86_64-unknown-freebsd", excluded: &[], machine: None },
];

/// The benchmark packages, which use functions that only Unix has.
const NOT_FOR_WINDOWS: &[&str] = &["memprof-benches", "memprof-heap-benches"];

/// The result of one step.
enum Outcome {
    Passed(String),
    Skipped(String),
    /// The step needs something that the command in `remedy` installs.
    Missing {
        problem: String,
        remedy: String,
    },
    Failed(String),
}

/// Checks the platforms whose target contains one of the parts: `cargo xtask platforms i686`.
pub(crate) fn run(parts: &[String]) -> Result<(), Failure> {
    let targets = chosen("platform", parts, PLATFORMS.iter().map(|platform| platform.target))?;
    let is_chosen = |platform: &&Platform| targets.contains(&platform.target);
    let (mut lines, mut failed, mut remedies) = (Vec::new(), Vec::new(), Vec::new());
    for platform in PLATFORMS.iter().filter(is_chosen) {
        for outcome in steps(platform)? {
            let target = platform.target;
            lines.push(match outcome {
                Outcome::Passed(text) => format!("{target:<26} {text}"),
                Outcome::Skipped(reason) => format!("{target:<26} skipped: {reason}"),
                Outcome::Missing { problem, remedy } => {
                    remedies.push(format!("`{remedy}`"));
                    format!("{target:<26} skipped: {problem}")
                }
                Outcome::Failed(problem) => {
                    failed.push(target);
                    format!("{target:<26} FAILED: {problem}")
                }
            });
        }
    }
    println!("features that are type-checked: {}", check::FEATURES);
    println!("{}", lines.join("\n"));
    failed.dedup();
    if !failed.is_empty() {
        return Err(failed.join(" ").into());
    }
    if !remedies.is_empty() {
        return Err(format!("steps were skipped; first run {}", remedies.join(" and ")).into());
    }
    Ok(())
}

/// Checks one platform. If a step cannot run, the steps that depend on it are skipped.
fn steps(platform: &Platform) -> Result<Vec<Outcome>, Failure> {
    if let Err(problem) = check::install(platform.target) {
        let remedy = format!("rustup target add {}", platform.target);
        return Ok(vec![Outcome::Missing { problem, remedy }]);
    }
    let mut outcomes = check::types(platform)?;
    outcomes.push(check::dependencies(platform.target)?);
    if let Some(machine) = &platform.machine {
        outcomes.extend(machine.run_tests(platform.target)?);
    }
    Ok(outcomes)
}
