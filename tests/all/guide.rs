//! Links in the pages of `docs/` lead to files of the repository. In rustdoc, the same links lead
//! to modules or to docs.rs. Each output on a page comes from a check.

use std::fs;
use std::path::Path;

/// The checks of the outputs on each page: the start of an output's first line, and the file that
/// compares it with what a program prints. An empty start means all outputs of the page.
const CHECKS: &[(&str, &str, &str)] = &[
    ("README.md", "", "tests/all/shown.rs"),
    ("docs/allocations.md", "", "xtask/src/tutorial/programs.rs"),
    ("docs/by-hand.md", "assert_exact!", "tests/heap/unbalanced.rs"),
    ("docs/command-line.md", "app::request", "memprof-cli/tests/all/suspects.rs"),
    ("docs/command-line.md", "  held by the root", "tests/session/suspects.rs"),
    ("docs/command-line.md", "$ ", "memprof-cli/tests/all/page.rs"),
    ("docs/estimates.md", "", "xtask/src/tutorial/programs.rs"),
    ("docs/first-leak.md", "$ ", "xtask/src/tutorial.rs"),
    ("docs/format.md", "", "memprof-profile/src/views/tests/json.rs"),
    ("docs/gpu.md", "", "memprof-cli/tests/all/gpu.rs"),
    ("docs/leaks.md", "assert_no_leak!", "tests/heap/leaks/leaking.rs"),
    ("docs/leaks.md", "85 196 B", "tests/heap/leaks/leaking.rs"),
    ("docs/leaks.md", "78.1 KiB/s", "memprof-heap/src/results/leaks/table/tests.rs"),
    ("docs/session.md", "from the roots", "memprof-cli/tests/all/page.rs"),
    ("docs/session.md", "MEMPROF_INTERVAL", "memprof-session/src/record/config/tests.rs"),
    ("docs/testing.md", "Vec:", "memprof-profile/src/testing/tests.rs"),
    ("docs/testing.md", "assert_", "tests/all/shown.rs"),
    ("docs/tutorial.md", "$ ", "xtask/src/tutorial.rs"),
    ("docs/tutorial.md", "assert_budget!", "tests/all/shown.rs"),
];

/// A tree of the glossary, which explains its own lines.
const EXPLAINED: &str = "model                  4.2 MiB";

const LINKS: &str = include_str!("../../src/guide/links.md");

/// Returns the labels that a page defines, with their targets.
fn definitions(page: &str) -> impl Iterator<Item = (&str, &str)> {
    page.lines().filter_map(|line| line.strip_prefix('[')?.split_once("]: "))
}

#[test]
fn each_link_of_a_page_has_a_target_in_rustdoc() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = fs::read_dir(root.join("docs")).expect("the pages are there");
    let pages = folder.map(|entry| entry.expect("it is listed").path());
    for page in pages.chain([root.join("README.md")]).filter(|page| page.is_file()) {
        let text = fs::read_to_string(&page).expect("it is text");
        for (label, target) in definitions(&text) {
            let file = target.split('#').next().unwrap_or(target);
            assert!(page.with_file_name(file).exists(), "{}: no file {target}", page.display());
            let is_known = definitions(LINKS).any(|(known, _)| known == label);
            assert!(is_known, "src/guide/links.md lacks [{label}]");
        }
    }
}

/// Returns the first line of each output that a page shows.
fn outputs(page: &str) -> Vec<&str> {
    let mut first_lines = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if matches!(language, "text" | "console") {
            first_lines.extend(block.first());
        }
    }
    first_lines
}

#[test]
fn each_output_on_a_page_is_compared_with_what_a_program_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = fs::read_dir(root.join("docs")).expect("the pages are there");
    let names = folder.map(|entry| entry.expect("it is listed").file_name());
    let pages = names.filter_map(|name| Some(format!("docs/{}", name.to_str()?)));
    for page in pages.chain([String::from("README.md")]) {
        if Path::new(&page).extension() != Some("md".as_ref()) {
            continue;
        }
        // `cargo xtask python` tests what the chapters on Python show.
        if page.starts_with("docs/python") {
            continue;
        }
        let text = fs::read_to_string(root.join(&page)).expect("it is text");
        for first in outputs(&text).into_iter().filter(|first| !first.starts_with(EXPLAINED)) {
            let check =
                CHECKS.iter().find(|(of, start, _)| *of == page && first.starts_with(start));
            let (.., file) = check.unwrap_or_else(|| panic!("{page}: nothing checks {first:?}"));
            let code = fs::read_to_string(root.join(file)).expect("the check is there");
            let name = page.rsplit('/').next().expect("a path has a last part");
            assert!(code.contains(name), "{file} does not read {page}");
        }
    }
}
