//! `cargo xtask models`: runs loom models of memprof-heap's lock-free code in many interleavings.

use crate::{Failure, target};
use std::process::Stdio;
use std::time::Instant;

/// Runs each model on its own, and prints the number of interleavings as `orders`.
pub(crate) fn run() -> Result<(), Failure> {
    let command = |arguments: &[&str]| {
        let mut command = crate::cargo();
        command.args(["test", "--release", "--quiet"]);
        command.args(["--package", "memprof-heap", "--test", "models", "--target-dir"]);
        command.arg(target("models")).args(arguments).stderr(Stdio::inherit());
        // The flag recompiles everything, so the build has a folder of its own. Link-time
        // optimisation would only take time.
        command.env("RUSTFLAGS", "--cfg loom").env("CARGO_PROFILE_RELEASE_LTO", "off");
        command
    };
    // The seconds do not include compiling.
    if !command(&["--no-run"]).status()?.success() {
        return Err("the models do not compile".into());
    }
    let start = Instant::now();
    let output = command(&["--", "--nocapture"]).output()?;
    let seconds = start.elapsed().as_secs();
    let text = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = text.lines().filter(|line| line.contains(" orders")).collect();
    if !output.status.success() || lines.is_empty() {
        eprintln!("{text}");
        return Err("a model fails".into());
    }
    let orders: u64 = lines.iter().filter_map(|line| orders(line)).sum();
    println!("{}", lines.join("\n"));
    println!("{} models, {orders} orders, {seconds} s", lines.len());
    Ok(())
}

/// Returns the number before the word `orders`.
fn orders(line: &str) -> Option<u64> {
    line.split_once(" orders")?.0.rsplit(' ').next()?.parse().ok()
}
