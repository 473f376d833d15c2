//! Compares `docs/internal/development.md` with the checks and the test targets: it must list all
//! of them and no others. Compares the flows of `docs/internal/architecture.md` with the files.

use crate::arguments::{Arguments, parse};
use crate::measure::Name;
use crate::shape::members;
use crate::workspace;
use clap::{CommandFactory, ValueEnum};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = "docs/internal/development.md";

/// Returns the first cells of the page's table rows: the command line of a check, or the path of a
/// target.
fn listed() -> BTreeSet<String> {
    rows(&page()).map(str::to_owned).collect()
}

fn page() -> String {
    fs::read_to_string(workspace().join(PAGE)).expect("the page is there")
}

fn rows(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| Some(line.strip_prefix("| `")?.split_once("` |")?.0))
}

#[test]
fn each_check_is_listed() {
    let listed = listed();
    let command = Arguments::command();
    let checks = command.get_subcommands().map(|check| check.get_name().to_owned());
    let measurements = Name::value_variants().iter().map(|name| format!("measure {name}"));
    let commands = checks.filter(|name| name != "measure").chain(measurements);
    let missing: Vec<_> = commands
        .map(|name| format!("cargo xtask {name}"))
        .filter(|line| !listed.contains(line))
        .collect();
    assert!(missing.is_empty(), "the table of checks lacks {missing:#?}");
}

#[test]
fn each_listed_check_exists() {
    for line in listed().iter().filter_map(|cell| cell.strip_prefix("cargo xtask ")) {
        let arguments = ["xtask"].into_iter().chain(line.split(' ')).map(Into::into);
        if let Err(error) = parse(arguments) {
            panic!("the table of checks has `{line}`:\n{error}");
        }
    }
}

#[test]
fn each_nightly_check_is_a_job() {
    let page = page();
    let (_, nightly) = page.split_once("### Nightly\n").expect("the page has that tier");
    let (nightly, _) = nightly.split_once("\n### ").expect("another tier follows");
    let workflow = workspace().join(".github/workflows/ci.yml");
    let workflow = fs::read_to_string(workflow).expect("the workflow is there");
    let jobs: Vec<_> = workflow
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- check: ")?.split(' ').next())
        .collect();
    let checks = rows(nightly).filter_map(|row| row.strip_prefix("cargo xtask "));
    let missing: Vec<_> = checks.filter(|check| !jobs.contains(check)).collect();
    assert!(missing.is_empty(), "the workflow lacks {missing:?}");
    let fuzzed = crate::fuzz::TARGETS.map(|target| format!("- check: fuzz {target}\n"));
    assert!(fuzzed.iter().all(|job| workflow.contains(job)), "a fuzz target has no job");
}

#[test]
fn each_target_is_listed() {
    let (listed, targets) = (listed(), targets());
    let missing: Vec<_> = targets.difference(&listed).collect();
    assert!(missing.is_empty(), "the map of test targets lacks {missing:#?}");
}

#[test]
fn each_listed_target_exists() {
    let listed = listed();
    let paths = listed.iter().filter(|cell| cell.contains('/') && !cell.contains(' '));
    let missing_paths: Vec<_> = paths.filter(|path| !workspace().join(path).exists()).collect();
    assert!(missing_paths.is_empty(), "the map of test targets has {missing_paths:#?}");
}

#[test]
fn each_flow_names_existing_files_in_at_most_twelve_lines() {
    let page = fs::read_to_string(workspace().join("docs/internal/architecture.md"));
    let page = page.expect("the page is there");
    let (_, flows) = page.split_once("## Three flows\n").expect("the page has that part");
    let (flows, _) = flows.split_once("\n## ").expect("another part follows");
    assert_eq!((flows.matches("\n1. ").count(), flows.contains("\n13. ")), (3, false));
    let files = files_below(&workspace());
    let names = flows
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| Path::new(name).extension() == Some("rs".as_ref()));
    let is_missing = |name: &&str| !files.iter().any(|file| file.ends_with(name));
    let missing: Vec<_> = names.filter(is_missing).collect();
    assert!(missing.is_empty(), "the flows name {missing:?}");
}

/// Returns the files below the folders `src` of the workspace.
fn files_below(root: &Path) -> Vec<PathBuf> {
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("the workspace has one");
    let mut folders: Vec<_> =
        members(&manifest).map(|member| root.join(member).join("src")).collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("it is read").path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files
}

/// Returns the paths of all targets: the entries of `tests/`, `examples/` and `fuzz/fuzz_targets`,
/// and the targets of other packages. A package below `tests/` or `examples/` is one entry.
fn targets() -> BTreeSet<String> {
    let root = workspace();
    let manifest =
        fs::read_to_string(root.join("Cargo.toml")).expect("the workspace has a manifest");
    let listed_folders = ["tests", "examples", "fuzz/fuzz_targets"];
    let mut targets: BTreeSet<String> =
        listed_folders.iter().flat_map(|folder| entries(&root.join(folder))).collect();
    let other_members = members(&manifest).filter(|member| {
        !listed_folders.iter().any(|folder| Path::new(member).starts_with(folder))
    });
    for member in other_members {
        let folder = root.join(member);
        for kind in ["tests", "benches", "examples"] {
            targets.extend(entries(&folder.join(kind)).filter(|path| is_target(path)));
        }
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a member has one");
        targets.extend(paths(&manifest).map(|path| spelled(Path::new(member).join(path))));
    }
    targets
}

/// Returns the paths that a manifest contains for tests and benchmarks.
fn paths(manifest: &str) -> impl Iterator<Item = &str> {
    manifest.split("\n[").filter_map(|table| {
        let table = ["[test]]", "[bench]]"].iter().find_map(|name| table.strip_prefix(name))?;
        let line = table.lines().find_map(|line| line.strip_prefix("path = "))?;
        Some(line.trim_matches('"').trim_end_matches("/main.rs"))
    })
}

/// Returns the entries of a folder as paths from the root; nothing if the folder does not exist.
fn entries(folder: &Path) -> impl Iterator<Item = String> + use<> {
    let entries =
        fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("it is read"));
    entries.map(|entry| {
        let path = entry.path();
        spelled(path.strip_prefix(workspace()).expect("it is below the root"))
    })
}

/// Returns whether cargo discovers a target at this path in `tests`, `benches` or `examples`.
fn is_target(path: &str) -> bool {
    let has_main = workspace().join(path).join("main.rs").is_file();
    has_main || Path::new(path).extension().is_some_and(|extension| extension == "rs")
}

/// Returns a path in the form of the page.
fn spelled(path: impl AsRef<Path>) -> String {
    path.as_ref().display().to_string().replace('\\', "/")
}
