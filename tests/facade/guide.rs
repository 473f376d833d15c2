//! Links in the pages of `docs/` lead to files and headings of the repository. In rustdoc, the same
//! links lead to modules or to docs.rs. Each page begins as a page should, and the index lists it.
//! Each output on a page comes from a check.

use memprof::tree::{EXTERNAL, KEYS, LeafKind, OTHER, SEVERAL, SHARED};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The checks of the outputs on each page: the start of an output's first line, and the file that
/// compares it with what a program prints. An empty start means all outputs of the page.
const CHECKS: &[(&str, &str, &str)] = &[
    ("README.md", "", "tests/facade/shown.rs"),
    ("docs/allocations.md", "", "xtask/src/tutorial/programs.rs"),
    ("docs/by-hand.md", "assert_exact!", "tests/assertions/unbalanced.rs"),
    ("docs/command-line.md", "app::request", "memprof-cli/tests/all/suspects.rs"),
    ("docs/command-line.md", "  held by the root", "tests/session/suspects.rs"),
    ("docs/command-line.md", "$ ", "memprof-cli/tests/all/page.rs"),
    ("docs/estimates.md", "", "xtask/src/tutorial/programs.rs"),
    ("docs/first-leak.md", "$ ", "xtask/src/tutorial.rs"),
    ("docs/format.md", "", "memprof-profile/src/views/tests/json.rs"),
    ("docs/gpu.md", "", "memprof-cli/tests/all/gpu.rs"),
    ("docs/leaks.md", "assert_no_leak!", "tests/assertions/leaks/leaking.rs"),
    ("docs/leaks.md", "352 104 B", "tests/assertions/leaks/leaking.rs"),
    ("docs/leaks.md", "78.1 KiB/s", "memprof-heap/src/results/leaks/table/tests.rs"),
    ("docs/python.md", "", "memprof-python/wheel/tests/test_guide.py"),
    ("docs/python-extensions.md", "", "memprof-python/wheel/tests/test_guide.py"),
    ("docs/session.md", "from the roots", "memprof-cli/tests/all/page.rs"),
    ("docs/session.md", "MEMPROF_INTERVAL", "memprof-session/src/record/config/tests.rs"),
    ("docs/testing.md", "Vec:", "memprof-profile/src/testing/tests.rs"),
    ("docs/testing.md", "assert_", "tests/facade/shown.rs"),
    ("docs/tutorial.md", "$ ", "xtask/src/tutorial.rs"),
    ("docs/tutorial.md", "assert_budget!", "tests/facade/shown.rs"),
];

/// A tree of the glossary, which explains its own lines.
const EXPLAINED: &str = "model                  4.2 MiB";

/// The number of lines on the first screen of a page.
const SCREEN: usize = 25;

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

/// Returns the README, the change log, and each page of `docs` and of `docs/internal`.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["docs", "docs/internal"].map(|folder| root.join(folder));
    let listed = folders.iter().flat_map(|folder| fs::read_dir(folder).expect("it is a folder"));
    let files = listed.map(|entry| entry.expect("it is listed").path());
    let pages = files.filter(|file| file.extension() == Some("md".as_ref()));
    let others = ["README.md", "CHANGELOG.md", "examples/transformer/README.md"];
    pages.chain(others.map(|page| root.join(page))).collect()
}

/// Returns the lines of a page outside its code blocks.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    page.lines().filter(move |line| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    })
}

/// Returns the anchors of a page's headings, as forges spell them.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = prose(page).filter(|line| line.starts_with('#'));
    let spelled = headings.map(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    });
    spelled.collect()
}

/// Returns the targets of a page's links that are neither URLs nor paths of rustdoc.
fn targets(page: &str) -> impl Iterator<Item = &str> {
    let inline = prose(page).flat_map(|line| line.split("](").skip(1));
    let inline = inline.filter_map(|rest| rest.split(')').next());
    let all = inline.chain(definitions(page).map(|(_, target)| target));
    all.filter(|target| !target.contains("://") && !target.contains("::"))
}

#[test]
fn each_relative_link_leads_to_a_file_and_a_heading() {
    let mut dead = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).expect("it is text");
        for target in targets(&text) {
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let led = if file.is_empty() { page.clone() } else { page.with_file_name(file) };
            let is_dead = !led.exists()
                || !heading.is_empty()
                    && !fs::read_to_string(&led).is_ok_and(|text| anchors(&text).contains(heading));
            if is_dead {
                dead.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
}

#[test]
fn each_link_of_the_guide_to_another_page_has_a_definition() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for page in pages().iter().filter(|page| page.parent() == Some(&root.join("docs"))) {
        let text = fs::read_to_string(page).expect("it is text");
        for target in prose(&text).flat_map(|line| line.split("](").skip(1)) {
            // Rustdoc resolves labels by `links.md`, and has no files of the repository.
            let target = target.split(')').next().unwrap_or_default();
            assert!(!target.contains(".md"), "{}: {target}", page.display());
        }
    }
}

#[test]
fn each_page_begins_with_a_title_a_sentence_and_an_example_on_the_first_screen() {
    for page in pages() {
        let (name, text) = (page.display(), fs::read_to_string(&page).expect("it is text"));
        if page.ends_with("CHANGELOG.md") {
            continue;
        }
        let mut lines = text.lines().filter(|line| !line.is_empty());
        assert!(lines.next().is_some_and(|line| line.starts_with("# ")), "{name}: no title");
        let sentence = lines.next().unwrap_or_default();
        assert!(sentence.starts_with(char::is_uppercase), "{name}: {sentence:?} is not a sentence");
        let is_example = |line: &str| line.starts_with("```");
        assert!(text.lines().take(SCREEN).any(is_example), "{name}: no example in {SCREEN} lines");
    }
}

#[test]
fn the_index_lists_each_page() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let index = root.join("docs/README.md");
    let text = fs::read_to_string(&index).expect("it is text");
    let listed: BTreeSet<PathBuf> =
        definitions(&text).map(|(_, target)| index.with_file_name(target)).collect();
    for page in pages().into_iter().filter(|page| page.starts_with(root.join("docs"))) {
        assert!(page == index || listed.contains(&page), "{} is not listed", page.display());
    }
}

#[test]
fn the_glossary_explains_each_frame_in_brackets() {
    let glossary = include_str!("../../docs/glossary.md");
    let kinds = LeafKind::ALL.iter().map(|kind| kind.as_str());
    for frame in kinds.chain([KEYS, SHARED, OTHER, SEVERAL, EXTERNAL]) {
        assert!(glossary.contains(&format!("\n| `{frame}` | ")), "no {frame} in the glossary");
    }
}

/// The letters of the requirements, with the number of the last one.
const REQUIREMENTS: [(char, u32); 6] =
    [('L', 17), ('S', 11), ('O', 20), ('A', 4), ('C', 5), ('M', 6)];

/// The folders of the repository that contain code and tests.
const FOLDERS: [&str; 7] = [".ci", ".github", "benches", "docs", "examples", "memprof-", "tests"];

#[test]
fn each_requirement_has_a_row_whose_code_and_tests_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = include_str!("../../docs/internal/requirements.md");
    for (letter, last) in REQUIREMENTS {
        for number in 1..=last {
            let row = format!("\n| {letter}{number} ");
            assert!(page.contains(&row), "no row of {letter}{number}");
        }
    }
    for line in page.lines().filter(|line| line.starts_with("| ")) {
        // Every second part is between backticks.
        let paths = line.split('`').skip(1).step_by(2);
        let paths = paths.filter(|path| FOLDERS.iter().any(|folder| path.starts_with(folder)));
        for path in paths.filter(|path| !path.contains(['*', ' '])) {
            assert!(root.join(path).exists(), "{path} does not exist: {line}");
        }
    }
}
