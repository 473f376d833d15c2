//! Checks that have several parts, and the table of outcomes that such a check prints last.

use crate::Failure;
use std::env;

/// The outcome of one part of a check, with the text for its row.
pub(crate) enum Outcome {
    Passed(String),
    Skipped(String),
    Failed(String),
}

/// Fails if a part failed. In CI, which installs what the checks need, a skipped part is a failure
/// too.
pub(crate) fn run_all<P>(
    parts: impl IntoIterator<Item = P>,
    name: impl Fn(&P) -> String,
    run: impl Fn(&P) -> Result<Outcome, Failure>,
) -> Result<(), Failure> {
    let skips_fail = env::var_os("CI").is_some_and(|ci| !ci.is_empty());
    let (mut rows, mut failed) = (Vec::new(), Vec::new());
    for part in parts {
        let name = name(&part);
        eprintln!("== {name}");
        let outcome = run(&part).unwrap_or_else(|error| Outcome::Failed(error.to_string()));
        if matches!(&outcome, Outcome::Failed(_)) || skips_fail && is_skipped(&outcome) {
            failed.push(name.clone());
        }
        rows.push((name, outcome));
    }
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, outcome) in rows {
        let text = match outcome {
            Outcome::Passed(text) => text,
            Outcome::Skipped(reason) => format!("skipped: {reason}"),
            Outcome::Failed(error) => format!("FAILED: {error}"),
        };
        println!("{name:<width$}  {text}");
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", ")).into()) }
}

fn is_skipped(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Skipped(_))
}
