//! `cargo xtask features`: the facade builds with each feature alone and with none. The tests of
//! core pass without features, the tests of annotations pass without `heap`, and the tests of
//! memory benchmarks pass with their own features.

use crate::Failure;

/// Features with dependencies that compile for minutes. They have a separate check.
const SLOW: &[&str] = &["candle_core011"];

/// Builds the facade with each feature of its manifest alone, and tests core with none. `own` leaves
/// out the features that each add the types of one other crate.
pub(crate) fn run(own: bool) -> Result<(), Failure> {
    let manifest = std::fs::read_to_string(crate::workspace().join("Cargo.toml"))?;
    let mut features = feature_names(&manifest);
    features.retain(|feature| !SLOW.contains(&feature.as_str()));
    features.retain(|feature| !own || !is_of_a_crate(feature));
    let mut failed = Vec::new();
    for feature in std::iter::once("").chain(features.iter().map(String::as_str)) {
        let built = crate::cargo()
            .args(["check", "--quiet", "--package", "memprof", "--lib"])
            .args(["--no-default-features", "--features", feature])
            .status()?;
        if !built.success() {
            failed.push(format!("[{feature}]"));
        }
    }
    if !passes(&[
        "--package",
        "memprof-core",
        "--package",
        "memprof-profile",
        "--no-default-features",
    ])? {
        failed.push("tests of memprof-core and memprof-profile without features".into());
    }
    if !passes(&["--package", "memprof-annotations", "--features", "alone"])? {
        failed.push("tests of annotations without `heap`".into());
    }
    if !passes(&["--package", "memprof-heap", "--features", "criterion", "--test", "criterion"])? {
        failed.push("tests of memprof-heap with `criterion`".into());
    }
    println!("{} sets of features built, {} failed", features.len() + 1, failed.len());
    if failed.is_empty() { Ok(()) } else { Err(failed.join(" ").into()) }
}

/// Runs the tests that the arguments name. Returns `true` if they pass.
fn passes(arguments: &[&str]) -> Result<bool, Failure> {
    let mut tests = crate::cargo();
    tests.args(["test", "--quiet"]).args(arguments);
    Ok(tests.status()?.success())
}

/// Returns the keys of the table `[features]`.
pub(crate) fn feature_names(manifest: &str) -> Vec<String> {
    manifest
        .lines()
        .skip_while(|line| line.trim() != "[features]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('='))
        .map(|(name, _)| name.trim().to_owned())
        .collect()
}

/// Returns `true` if a feature's name ends in the version of a crate.
pub(crate) fn is_of_a_crate(feature: &str) -> bool {
    feature.ends_with(|letter: char| letter.is_ascii_digit())
}
