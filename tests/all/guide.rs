//! Links in the pages of `docs/` lead to files of the repository. In rustdoc, the same links lead
//! to modules or to docs.rs.

use std::fs;
use std::path::Path;

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
