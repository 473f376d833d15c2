//! `cargo xtask models`: every order of what threads share without a lock in memprof-heap, by loom.

use crate::{Failure, target, workspace};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Runs the models, each on its own, and prints in how many orders.
pub(crate) fn run() -> Result<(), Failure> {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(workspace()).args(["test", "--release", "--package", "memprof-heap"]);
    command.args(["--test", "models", "--target-dir"]).arg(target("models"));
    // The flag compiles all anew, so it has a folder of its own; and is not there to be fast.
    command.env("RUSTFLAGS", "--cfg loom").env("CARGO_PROFILE_RELEASE_LTO", "off");
    if !command.args(["--no-run", "--quiet"]).status()?.success() {
        return Err("the models do not compile".into());
    }
    let start = Instant::now();
    let output = command.args(["--", "--nocapture"]).stderr(Stdio::inherit()).output()?;
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

/// The number before the word `orders`.
fn orders(line: &str) -> Option<u64> {
    line.split_once(" orders")?.0.rsplit(' ').next()?.parse().ok()
}
