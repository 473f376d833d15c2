//! Outcomes of the parts of a check, and the last lines of its output.

use crate::Failure;
use std::process::{Command, Stdio};
use std::time::Instant;

/// The outcome of one part.
pub(crate) enum Outcome {
    Passed { tests: u64, seconds: u64 },
    Skipped(&'static str),
    Failed,
}

/// Prints a line for each part. Fails if a part failed.
pub(crate) fn print(parts: &[(&str, Outcome)]) -> Result<(), Failure> {
    let width = parts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut failed = Vec::new();
    for (name, outcome) in parts {
        match outcome {
            Outcome::Passed { tests, seconds } => {
                println!("{name:<width$}  {tests} tests passed, {seconds} s");
            }
            Outcome::Skipped(reason) => println!("{name:<width$}  skipped: {reason}"),
            Outcome::Failed => {
                println!("{name:<width$}  FAILED");
                failed.push(*name);
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(failed.join(", ").into()) }
}

/// Runs test commands until one fails. A command that runs no test counts as failed too.
pub(crate) fn test(commands: impl IntoIterator<Item = Command>) -> Result<Outcome, Failure> {
    let start = Instant::now();
    let mut tests = 0;
    for mut command in commands {
        let output = command.stderr(Stdio::inherit()).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let passed = passed(&text);
        if !output.status.success() || passed == 0 {
            eprintln!("{text}");
            return Ok(Outcome::Failed);
        }
        tests += passed;
    }
    Ok(Outcome::Passed { tests, seconds: start.elapsed().as_secs() })
}

/// Returns the number of passed tests in the output of test programs.
pub(crate) fn passed(text: &str) -> u64 {
    let verdicts = text.split("test result: ok. ").skip(1);
    let counts =
        verdicts.filter_map(|verdict| verdict.split_once(" passed")?.0.parse::<u64>().ok());
    counts.sum()
}

#[cfg(test)]
mod tests {
    use super::passed;

    #[test]
    fn passed_tests_of_several_programs_add_up() {
        let text = "running 3 tests\n...\ntest result: ok. 3 passed; 0 failed\n\n\
                    test a ... test result: ok. 12 passed; 0 failed\ntest result: FAILED. 1 passed";
        assert_eq!(passed(text), 15);
        assert_eq!(passed(""), 0);
    }
}
