//! `cargo xtask gpu`: the checks that need a GPU. They are built into a folder that also works on
//! machines without Rust, and they are run here too. Here they may be skipped.
//!
//! `cargo xtask gpu FOLDER` stores the results of another machine: the summary and the trace of
//! `PyTorch` below `tests/data/gpu`, and what was verified in the table of `docs/internal/gpu.md`.

use crate::{Failure, target, workspace};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The programs to build: the arguments, the program, and its name in the folder.
const PROGRAMS: &[(&[&str], &str, &str)] = &[
    (&["--package", "memprof-cli", "--bin", "memprof"], "memprof", "memprof"),
    (
        &["--package", "memprof-pool", "--example", "cuda_check", "--features", "cuda"],
        "examples/cuda_check",
        "cuda_check",
    ),
    (&["--package", "memprof-wrapper-benches", "--bin", "wrapper"], "wrapper", "wrapper"),
];

const SCRIPT: &str = include_str!("gpu/check.py");

const PAGE: &str = "docs/internal/gpu.md";

const KEPT: [&str; 2] = ["summary.json", "torch.json.gz"];

pub(crate) fn run(results: Option<&Path>) -> Result<(), Failure> {
    if let Some(results) = results {
        return store(results, &workspace());
    }
    let folder = workspace().join("target/gpu");
    fs::create_dir_all(&folder)?;
    for (arguments, built, name) in PROGRAMS {
        let mut cargo = crate::cargo();
        cargo.args(["build", "--locked", "--profile", "bench"]);
        // Symbols would add a few MB and are useless on another machine.
        cargo.args(*arguments).env("CARGO_PROFILE_BENCH_STRIP", "true");
        if !cargo.status()?.success() {
            return Err(format!("{name} does not build").into());
        }
        fs::copy(target("release").join(built), folder.join(name))?;
    }
    fs::write(folder.join("check.py"), SCRIPT)?;
    println!("built into {}", folder.display());
    let mut python = Command::new("python3");
    python.arg(folder.join("check.py")).arg(folder.join("results"));
    if python.status()?.success() { Ok(()) } else { Err("a check failed".into()) }
}

/// Copies the results, and writes the outcome of each capability into the page.
fn store(results: &Path, workspace: &Path) -> Result<(), Failure> {
    let summary = results.join("summary.json");
    let text = fs::read_to_string(&summary)
        .map_err(|error| format!("{}: {error}; name a folder of check.py", summary.display()))?;
    let summary: serde_json::Value = serde_json::from_str(&text)?;
    let word = |key: &str| summary[key].as_str().map(str::to_owned);
    let (Some(gpu), Some(driver), Some(date)) = (word("gpu"), word("driver"), word("date")) else {
        return Err("the summary names no GPU: nothing was verified".into());
    };
    let kept = workspace.join("tests/data/gpu");
    fs::create_dir_all(&kept)?;
    for file in KEPT.iter().filter(|file| results.join(file).exists()) {
        fs::copy(results.join(file), kept.join(file))?;
    }
    let page = workspace.join(PAGE);
    let mut lines: Vec<String> = fs::read_to_string(&page)?.lines().map(str::to_owned).collect();
    for row in summary["rows"].as_array().into_iter().flatten() {
        let of = |key: &str| row[key].as_str().unwrap_or("unknown").replace('|', "/");
        let (capability, outcome, figure) = (of("capability"), of("outcome"), of("figure"));
        let begin = format!("| {capability} |");
        let Some(line) = lines.iter_mut().find(|line| line.starts_with(&begin)) else {
            return Err(format!("{PAGE} has no row for {capability}").into());
        };
        let cells: Vec<&str> = line.trim_matches('|').split('|').collect();
        let verified = format!("{outcome}: {figure} ({gpu}, driver {driver}, {date})");
        *line = format!("|{}|{}| {verified} |", cells[0], cells[1]);
    }
    fs::write(&page, lines.join("\n") + "\n")?;
    println!("stored in {} and {PAGE}", kept.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{PAGE, SCRIPT, store};
    use crate::tools::has;
    use crate::workspace;
    use std::fs;
    use std::process::Command;

    /// Even without its programs, the script reports each capability that the page lists.
    #[test]
    fn each_capability_of_the_page_is_in_the_summary_even_if_all_steps_fail() {
        if !has("python3") {
            memprof_test_support::skip("python3 is missing");
            return;
        }
        let folder = std::env::temp_dir().join(format!("xtask-gpu-check-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("it can be created");
        let script = folder.join("check.py");
        fs::write(&script, SCRIPT).expect("it can be written");
        let mut python = Command::new("python3");
        let output = python.arg(&script).arg(folder.join("results")).output().expect("it runs");
        let summary = fs::read_to_string(folder.join("results/summary.json"));
        let summary = summary.unwrap_or_else(|_| panic!("no summary: {output:?}"));
        let summary: serde_json::Value = serde_json::from_str(&summary).expect("it is JSON");
        let reported = summary["rows"].as_array().expect("there are rows").iter();
        let mut reported: Vec<_> =
            reported.map(|row| row["capability"].as_str().expect("a name").to_owned()).collect();
        let page = fs::read_to_string(workspace().join(PAGE)).expect("it is there");
        let table = page.split("## On a GPU").nth(1).expect("it has the table");
        let rows = table.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
        let mut listed: Vec<_> = rows.skip(1).map(str::to_owned).collect();
        reported.sort();
        listed.sort();
        assert_eq!(reported, listed);
        fs::remove_dir_all(&folder).expect("it is there");
    }

    #[test]
    fn results_are_stored_in_the_page_and_without_a_gpu_refused() {
        let folder = std::env::temp_dir().join(format!("xtask-gpu-{}", std::process::id()));
        let page = folder.join(PAGE);
        fs::create_dir_all(page.parent().expect("it is in a folder")).expect("it can be created");
        let row = "| event timer | `cuda_check` | built, not run on hardware |\n";
        fs::write(&page, row).expect("it can be written");
        let summary = |gpu: &str| {
            format!(
                r#"{{"gpu":{gpu},"driver":"580.1","date":"2027-01-02","rows":[{{"capability":"event timer","outcome":"pass","figure":"2.1 µs"}}]}}"#
            )
        };
        fs::write(folder.join("summary.json"), summary("null")).expect("it can be written");
        assert!(store(&folder, &folder).is_err());
        fs::write(folder.join("summary.json"), summary("\"H100\"")).expect("it can be written");
        store(&folder, &folder).expect("it has a GPU");
        let expected =
            "| event timer | `cuda_check` | pass: 2.1 µs (H100, driver 580.1, 2027-01-02) |\n";
        assert_eq!(fs::read_to_string(&page).expect("it is there"), expected);
        assert!(folder.join("tests/data/gpu/summary.json").exists());
        fs::remove_dir_all(&folder).expect("it is there");
    }
}
