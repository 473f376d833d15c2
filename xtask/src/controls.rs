//! `cargo xtask controls [PART…]`: each check finds a defect that was planted for it.
//!
//! A check that can no longer fail looks like one that passes: a filter that selects no test, a
//! comparison with a file that does not exist, an exit code that a pipe hides. So each step of
//! `.ci/run` and each nightly job has a control in `xtask/controls`: a patch that plants a defect,
//! below two lines of text.
//!
//! ```text
//! check: .ci/run clippy
//! finds: unused import
//! diff --git a/src/lib.rs b/src/lib.rs
//! ```
//!
//! The check runs in a clone of HEAD with the patch applied. It must fail, and its output must
//! contain the text after `finds:`, so that a check that fails for another reason does not count.

use crate::{Failure, target, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The folder with the controls.
const FOLDER: &str = "xtask/controls";

/// The workflow that lists the nightly checks.
const WORKFLOW: &str = ".github/workflows/ci.yml";

/// A check and the defect that it must find.
#[derive(Debug, PartialEq)]
struct Control {
    /// The name of the patch, without its extension.
    name: String,
    /// The command of the check.
    check: String,
    /// A part of what the check prints about the defect.
    finds: String,
    patch: PathBuf,
}

impl Control {
    fn read(patch: PathBuf) -> Result<Self, Failure> {
        let text = fs::read_to_string(&patch)?;
        let header = |key: &str| {
            let value = text.lines().take(2).find_map(|line| line.strip_prefix(key));
            value.map(str::to_owned).ok_or_else(|| format!("{}: no line `{key}…`", patch.display()))
        };
        let (check, finds) = (header("check: ")?, header("finds: ")?);
        let name = patch.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, check, finds, patch })
    }

    /// Plants the defect in `tree` and runs the check. Returns why the check missed the defect.
    fn run(&self, tree: &Path) -> Result<Option<String>, Failure> {
        git(tree, &["reset", "--quiet", "--hard"])?;
        git(tree, &["apply", "--recount", "-C1", &self.patch.to_string_lossy()])?;
        // One stream for both outputs, so that the lines are in order.
        let output = Command::new("bash")
            .args(["-c", &format!("exec 2>&1; {}", self.check)])
            .current_dir(tree)
            .env("CARGO_TARGET_DIR", target("controls").join("target"))
            .env("CARGO_TERM_COLOR", "never")
            .stdin(Stdio::null())
            .output()?;
        let printed = String::from_utf8_lossy(&output.stdout);
        if output.status.success() {
            return Ok(Some("it passes".to_owned()));
        }
        if printed.contains(&self.finds) {
            return Ok(None);
        }
        let lines: Vec<&str> = printed.lines().collect();
        let end = lines[lines.len().saturating_sub(30)..].join("\n");
        Ok(Some(format!("it fails, but does not print `{}`:\n{end}", self.finds)))
    }
}

/// Runs the controls whose names contain one of `parts`, or all of them.
pub(crate) fn run(parts: &[String]) -> Result<(), Failure> {
    let root = workspace().canonicalize()?;
    let mut patches = Vec::new();
    for entry in fs::read_dir(root.join(FOLDER))? {
        patches.push(entry?.path());
    }
    patches.sort();
    let controls: Vec<_> = patches.into_iter().map(Control::read).collect::<Result<_, _>>()?;
    let known = checks(&root)?;
    if let Some(unknown) = chosen.iter().find(|check| !known.contains(check)) {
        return Err(format!("no check `{unknown}`; checks: {}", known.join(", ")).into());
    }
    let lacking = without_control(known, &controls);
    if !lacking.is_empty() {
        return Err(format!("{FOLDER} has no control for {}", lacking.join(", ")).into());
    }
    let is_chosen = |control: &&Control| {
        parts.is_empty() || parts.iter().any(|part| control.name.contains(part.as_str()))
    };
    let tree = clone(&root)?;
    let mut missed = Vec::new();
    for control in controls.iter().filter(is_chosen) {
        let begun = Instant::now();
        let reason = control.run(&tree)?;
        let outcome = reason.as_ref().map_or("finds it", |_| "MISSES it");
        println!(
            "{}: `{}` {outcome} ({} s)",
            control.name,
            control.check,
            begun.elapsed().as_secs()
        );
        if let Some(reason) = reason {
            missed.push(format!("{}: {reason}", control.name));
        }
    }
    if missed.is_empty() { Ok(()) } else { Err(missed.join("\n").into()) }
}

/// Returns the names that the controls of all checks begin with: `ci-clippy` for a step of
/// `.ci/run`, `nightly-leaks` for the nightly jobs `leaks moka` and `leaks metrics`.
fn checks(root: &Path) -> Result<Vec<String>, Failure> {
    let steps = Command::new("bash").args([".ci/run", "--list"]).current_dir(root).output()?;
    let steps = String::from_utf8(steps.stdout)?;
    let workflow = fs::read_to_string(root.join(WORKFLOW))?;
    let mut names: Vec<_> = steps.lines().map(|step| format!("ci-{step}")).collect();
    names.extend(nightly_jobs(&workflow));
    Ok(names)
}

/// Returns the names of the nightly jobs, which the workflow lists as `- check: NAME PART` or
/// `- name: NAME`.
fn nightly_jobs(workflow: &str) -> Vec<String> {
    let jobs = workflow.lines().filter_map(|line| {
        let line = line.trim();
        let check = line.strip_prefix("- check: ").and_then(|check| check.split(' ').next());
        check.map(str::to_owned).or_else(|| Some(line.strip_prefix("- name: ")?.replace(' ', "-")))
    });
    let mut names: Vec<_> = jobs.map(|job| format!("nightly-{}", job.to_lowercase())).collect();
    names.dedup();
    names
}

/// Returns the names of checks without a control.
fn without_control(mut checks: Vec<String>, controls: &[Control]) -> Vec<String> {
    checks.retain(|check| !controls.iter().any(|control| control.name.starts_with(check)));
    checks
}

/// Returns a clone of HEAD in the target folder. It keeps its place, so that checks compile only
/// what a patch changes.
fn clone(root: &Path) -> Result<PathBuf, Failure> {
    let tree = target("controls").join("tree");
    if !tree.exists() {
        fs::create_dir_all(&tree)?;
        git(&tree, &["init", "--quiet"])?;
    }
    git(&tree, &["fetch", "--quiet", &root.to_string_lossy(), "HEAD"])?;
    git(&tree, &["checkout", "--quiet", "--force", "--detach", "FETCH_HEAD"])?;
    Ok(tree)
}

fn git(folder: &Path, arguments: &[&str]) -> Result<(), Failure> {
    if Command::new("git").args(arguments).current_dir(folder).status()?.success() {
        return Ok(());
    }
    Err(format!("`git {}` failed in {}", arguments.join(" "), folder.display()).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_of_one_check_share_a_control() {
        let workflow = "- check: leaks moka\n- check: leaks metrics\n  - name: forms of JSON\n";
        assert_eq!(nightly_jobs(workflow), ["nightly-leaks", "nightly-forms-of-json"]);
    }

    #[test]
    fn a_control_covers_the_check_that_its_name_begins_with() {
        let control = Control {
            name: "ci-doc-link".to_owned(),
            check: String::new(),
            finds: String::new(),
            patch: PathBuf::new(),
        };
        let checks = ["ci-doc", "ci-format"].map(str::to_owned).to_vec();
        assert_eq!(without_control(checks, &[control]), ["ci-format"]);
    }
}
