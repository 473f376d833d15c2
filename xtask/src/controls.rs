//! `cargo xtask controls [CHECK…]`: each check finds a defect that was planted for it.
//!
//! A check that can no longer fail looks like one that passes: a filter that selects no test, a
//! comparison with a file that does not exist, an exit code that a pipe hides. So each step of
//! `.ci/run` and each nightly job has a control, `xtask/controls/CHECK/DEFECT.patch`: a patch that
//! plants a defect, below two lines of text.
//!
//! ```text
//! check: .ci/run clippy
//! finds: unused import
//! diff --git a/src/lib.rs b/src/lib.rs
//! ```
//!
//! The command is the check, or the part of it that is enough. It also installs the tools that the
//! workflow installs. It runs in a clone of HEAD with the patch applied. It must fail, and its
//! output must contain the text after `finds:`, so that a check that fails for another reason does
//! not count.

use crate::{Failure, target, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const FOLDER: &str = "xtask/controls";

const WORKFLOW: &str = ".github/workflows/ci.yml";

struct Control {
    /// The folder of the patch: a step of `.ci/run`, or a nightly job.
    check: String,
    defect: String,
    /// The command that must fail: the check, or the part of it that is enough.
    command: String,
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
        let (command, finds) = (header("check: ")?, header("finds: ")?);
        let [check, defect] = names(&patch);
        Ok(Self { check, defect, command, finds, patch })
    }

    /// Returns the command of git that plants the defect. One line around a change is enough, so that
    /// controls stay valid while the code around them changes.
    fn apply<'c>(&'c self, options: &[&'c str]) -> Vec<&'c str> {
        let patch = self.patch.to_str().expect("the names of controls are ASCII");
        [&["apply", "--recount", "-C1"], options, &[patch]].concat()
    }

    /// Plants the defect in `tree` and runs the check. Returns why the check missed the defect.
    fn run(&self, tree: &Path) -> Result<Option<String>, Failure> {
        git(tree, &["reset", "--quiet", "--hard"])?;
        git(tree, &self.apply(&[]))?;
        // One stream for both outputs, so that the lines are in order.
        let output = Command::new("bash")
            .args(["-c", &format!("exec 2>&1; {}", self.command)])
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

/// Returns the check and the defect of `CHECK/DEFECT.patch`. A check's name may have a dot.
fn names(patch: &Path) -> [String; 2] {
    let check = patch.parent().and_then(Path::file_name);
    [check, patch.file_stem()].map(|name| name.unwrap_or_default().to_string_lossy().into_owned())
}

pub(crate) fn run(chosen: &[String]) -> Result<(), Failure> {
    let root = workspace().canonicalize()?;
    let controls = controls(&root)?;
    let known = checks(&root)?;
    if let Some(unknown) = chosen.iter().find(|check| !known.contains(check)) {
        return Err(format!("no check `{unknown}`; checks: {}", known.join(", ")).into());
    }
    let chosen = if chosen.is_empty() { known } else { chosen.to_vec() };
    let lacking = without_control(&chosen, &controls);
    if !lacking.is_empty() {
        return Err(format!("{FOLDER} has no control for {}", lacking.join(", ")).into());
    }
    let tree = clone(&root)?;
    let mut missed = Vec::new();
    for control in controls.iter().filter(|control| chosen.contains(&control.check)) {
        let Control { check, defect, command, .. } = control;
        let begun = Instant::now();
        let reason = control.run(&tree)?;
        let outcome = reason.as_ref().map_or("finds it", |_| "MISSES it");
        println!("{check}/{defect}: `{command}` {outcome} ({} s)", begun.elapsed().as_secs());
        missed.extend(reason.map(|reason| format!("{check}/{defect}: {reason}")));
    }
    if missed.is_empty() { Ok(()) } else { Err(missed.join("\n").into()) }
}

fn controls(root: &Path) -> Result<Vec<Control>, Failure> {
    let mut controls = Vec::new();
    for check in sorted(&root.join(FOLDER))? {
        for patch in sorted(&check)? {
            controls.push(Control::read(patch)?);
        }
    }
    Ok(controls)
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<Result<Vec<_>, Failure>>()?;
    paths.sort();
    Ok(paths)
}

fn checks(root: &Path) -> Result<Vec<String>, Failure> {
    let steps = Command::new("bash").args([".ci/run", "--list"]).current_dir(root).output()?;
    let steps = String::from_utf8(steps.stdout)?;
    let workflow = fs::read_to_string(root.join(WORKFLOW))?;
    let mut names: Vec<_> =
        steps.lines().map(str::to_owned).chain(nightly_jobs(&workflow)).collect();
    names.sort();
    names.dedup();
    Ok(names)
}

/// Returns the names of the nightly jobs, which the workflow lists as `- check: proof moka` (a check
/// and its part) or as `- name: forms of JSON`.
fn nightly_jobs(workflow: &str) -> impl Iterator<Item = String> {
    workflow.lines().map(str::trim).filter_map(|line| {
        let check = line.strip_prefix("- check: ").and_then(|check| check.split(' ').next());
        let name = || line.strip_prefix("- name: ");
        Some(check.or_else(name)?.replace(' ', "-").to_lowercase())
    })
}

fn without_control<'a>(checks: &'a [String], controls: &[Control]) -> Vec<&'a str> {
    let has_none = |check: &&str| !controls.iter().any(|control| control.check == *check);
    checks.iter().map(String::as_str).filter(has_none).collect()
}

/// Clones HEAD to a fixed folder, so that checks compile only what a patch changes.
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

    /// A change of the patched lines has to change the patch too.
    #[test]
    fn each_patch_applies_to_this_checkout() {
        let root = workspace();
        let controls = controls(&root).expect("each control has a header");
        assert!(!controls.is_empty());
        for control in controls {
            let applies = git(&root, &control.apply(&["--check"]));
            assert!(applies.is_ok(), "{}/{}: {applies:?}", control.check, control.defect);
        }
    }

    #[test]
    fn parts_of_a_nightly_check_share_its_name() {
        let workflow = "  - check: proof moka\n  - check: proof metrics\n  - name: forms of JSON\n";
        assert!(nightly_jobs(workflow).eq(["proof", "proof", "forms-of-json"]));
    }

    #[test]
    fn a_check_may_have_a_dot_in_its_name() {
        let names = names(Path::new("xtask/controls/docs.rs/dead-link.patch"));
        assert_eq!(names, ["docs.rs", "dead-link"]);
    }

    #[test]
    fn a_check_without_a_folder_has_no_control() {
        let control = Control {
            check: "doc".to_owned(),
            defect: "dead-link".to_owned(),
            command: ".ci/run doc".to_owned(),
            finds: "unresolved link".to_owned(),
            patch: PathBuf::new(),
        };
        let checks = ["doc", "format"].map(str::to_owned);
        assert_eq!(without_control(&checks, &[control]), ["format"]);
    }
}
