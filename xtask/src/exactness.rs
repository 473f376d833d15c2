//! `cargo xtask exactness`: a million random values compared with a counting allocator, on each
//! toolchain.

use crate::Failure;
use std::process::{Command, Output, Stdio};
use std::time::Instant;

/// The toolchains. memprof depends on std's private layouts, so each release of std needs this
/// test.
const TOOLCHAINS: [&str; 2] = ["stable", "nightly"];

const VALUES: &str = "1000000";

/// The result of one toolchain.
struct Figures {
    toolchain: String,
    /// The lines `name: figure` of the test.
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

/// Returns the compiler's version, if the toolchain is installed.
fn version(toolchain: &str) -> Option<String> {
    let output = Command::new("rustup").args(["run", toolchain, "rustc", "-V"]).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs the test, which `cargo test` ignores.
fn try_values(toolchain: &str, version: String) -> Result<Figures, Failure> {
    let target = crate::target("exactness").join(toolchain);
    let command = |arguments: &[&str]| {
        let mut command = Command::new("rustup");
        command.current_dir(crate::workspace()).args(["run", toolchain, "cargo", "test"]);
        // Do not build for release, because optimising 173 types with ten containers takes longer
        // than running them.
        command.args(["--quiet", "--package", "memprof", "--test", "exactness"]);
        command.arg("--target-dir").arg(&target).args(arguments);
        command.env("MEMPROF_EXACTNESS_VALUES", values()).stderr(Stdio::inherit());
        command
    };
    // The seconds do not include compiling.
    if !command(&["--no-run"]).status()?.success() {
        return Err(format!("the test does not compile with {version}").into());
    }
    let start = Instant::now();
    let output = command(&["--", "--ignored", "--nocapture"]).output()?;
    let seconds = start.elapsed().as_secs();
    Ok(figures(version, &output, seconds))
}

/// Returns the number of values to try. The environment can set another one for testing this
/// command.
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
