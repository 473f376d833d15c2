//! `cargo xtask exactness`: a million random values against a counting allocator, per toolchain.

use crate::Failure;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

/// The layouts that memprof checks are std's own, so that each release of std has to be tried.
const TOOLCHAINS: [&str; 2] = ["stable", "nightly"];

const VALUES: &str = "1000000";

/// What one toolchain said.
struct Figures {
    toolchain: String,
    /// `name: figure` lines of the test.
    lines: Vec<String>,
    seconds: u64,
    exact: bool,
}

pub(crate) fn run() -> Result<(), Failure> {
    let mut all = Vec::new();
    for toolchain in TOOLCHAINS {
        match version(toolchain) {
            Some(version) => all.push(try_values(toolchain, version)?),
            None => eprintln!("{toolchain} is not installed: left out"),
        }
    }
    for Figures { toolchain, lines, seconds, exact } in &all {
        println!("toolchain: {toolchain}");
        for line in lines {
            println!("{line}");
        }
        println!("seconds: {seconds}\n{}\n", if *exact { "exact" } else { "NOT EXACT" });
    }
    let failed = all.iter().filter(|figures| !figures.exact).count();
    match (all.len(), failed) {
        (0, _) => Err("no toolchain is installed".into()),
        (_, 0) => Ok(()),
        (tried, _) => Err(format!("{failed} of {tried} toolchains are not exact").into()),
    }
}

/// The compiler's version, if the toolchain is installed.
fn version(toolchain: &str) -> Option<String> {
    let output = Command::new("rustup").args(["run", toolchain, "rustc", "-V"]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs the test that `cargo test` ignores.
fn try_values(toolchain: &str, version: String) -> Result<Figures, Failure> {
    let target = crate::workspace().join("target/exactness").join(toolchain);
    let command = |arguments: &[&str]| {
        let mut command = Command::new("rustup");
        command.current_dir(crate::workspace()).args(["run", toolchain, "cargo", "test"]);
        // Not in release: 173 types times ten containers take longer to optimise than to try.
        command.args(["--quiet", "--package", "memprof", "--test", "exactness"]);
        command.arg("--target-dir").arg(&target).args(arguments);
        command.env("MEMPROF_EXACTNESS_VALUES", values()).stderr(Stdio::inherit());
        command
    };
    // Compiling is not what the seconds are about.
    if !command(&["--no-run"]).status()?.success() {
        return Err(format!("the test does not compile with {version}").into());
    }
    let start = Instant::now();
    let output = command(&["--", "--ignored", "--nocapture"]).output()?;
    let seconds = start.elapsed().as_secs();
    Ok(figures(version, &output, seconds))
}

/// How many values to try; another number is for trying out this command.
fn values() -> String {
    std::env::var("MEMPROF_EXACTNESS_VALUES").unwrap_or_else(|_| VALUES.to_owned())
}

fn figures(toolchain: String, output: &Output, seconds: u64) -> Figures {
    const NAMES: [&str; 6] =
        ["values", "types", "containers", "bytes owned", "mismatches", "estimated leaves"];
    let text = String::from_utf8_lossy(&output.stdout);
    let of_figures = |line: &&str| NAMES.iter().any(|name| line.starts_with(&format!("{name}: ")));
    let lines: Vec<String> = text.lines().filter(of_figures).map(str::to_owned).collect();
    let exact = output.status.success() && lines.len() == NAMES.len();
    if !exact {
        eprintln!("{text}");
    }
    Figures { toolchain, lines, seconds, exact }
}
