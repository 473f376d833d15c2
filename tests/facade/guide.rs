//! Links in the pages of `docs/` lead to files and headings of the repository. In rustdoc, the same
//! links lead to modules or to docs.rs.

use memprof::tree::{KEYS, LeafKind, OTHER, SHARED};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

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
fn the_glossary_explains_each_frame_in_brackets() {
    let glossary = include_str!("../../docs/glossary.md");
    let kinds = LeafKind::ALL.iter().map(|kind| kind.as_str());
    for frame in kinds.chain([KEYS, SHARED, OTHER]) {
        assert!(glossary.contains(&format!("\n| `{frame}` | ")), "no {frame} in the glossary");
    }
}
