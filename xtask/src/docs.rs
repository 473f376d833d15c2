//! `cargo xtask docs`: the facade's documentation, built as docs.rs builds it, with each link
//! followed.

use crate::tools::{cargo_subcommand, cargo_with, has_nightly};
use crate::{Failure, target};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Dead links in the documentation of other crates' traits, which rustdoc copies to the types that
/// have these traits. This one is from num-format 0.4, a dependency of inferno.
const FOREIGN: [&str; 1] = ["trait.ParseFormatted.html#examples"];

pub(crate) fn run() -> Result<(), Failure> {
    if !has_nightly() {
        println!("skipped: docs.rs builds with nightly, which is not installed");
        return Ok(());
    }
    let tools = cargo_subcommand("cargo-docs-rs", None)?;
    let folder = target("docs-rs");
    let built = cargo_with("nightly", &tools)?
        .args(["docs-rs", "--package", "memprof"])
        .env("CARGO_TARGET_DIR", &folder)
        .env("RUSTDOCFLAGS", "-D warnings")
        .status()?;
    if !built.success() {
        return Err("the documentation does not build as on docs.rs".into());
    }
    let root = documentation(&folder)?;
    let pages = pages(&root.join("memprof"))?;
    let dead = dead_links(&pages);
    println!("{} pages, {} dead links", pages.len(), dead.len());
    for (page, link) in &dead {
        println!("{}: {link}", page.strip_prefix(&root).unwrap_or(page).display());
    }
    if dead.is_empty() { Ok(()) } else { Err("links of the documentation lead nowhere".into()) }
}

/// Returns the folder with the documentation: below the target folder, or below the folder of the
/// platform for which it was built.
fn documentation(folder: &Path) -> Result<PathBuf, Failure> {
    let of_platforms =
        fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path().join("doc")));
    let mut folders = of_platforms.chain([folder.join("doc")]);
    let found = folders.find(|doc| doc.join("memprof/index.html").exists());
    found.ok_or_else(|| format!("no documentation of memprof below {}", folder.display()).into())
}

/// Reads all pages below a folder.
fn pages(folder: &Path) -> Result<BTreeMap<PathBuf, String>, Failure> {
    let mut pages = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "html") {
                pages.insert(path.clone(), fs::read_to_string(&path)?);
            }
        }
    }
    Ok(pages)
}

/// Returns the relative links whose file does not exist, or whose page lacks the anchor.
fn dead_links(pages: &BTreeMap<PathBuf, String>) -> BTreeSet<(PathBuf, String)> {
    let mut dead = BTreeSet::new();
    for (page, text) in pages {
        for link in text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            // A link with `${` is in a script of rustdoc. rustdoc also links `all.html`, which it
            // does not write for crates that are re-exported as modules.
            if link.contains("${")
                || link == "all.html"
                || FOREIGN.contains(&link)
                || link.contains("://")
                || link.contains("/src/")
                || link.starts_with("javascript:")
            {
                continue;
            }
            let link = link.replace("&amp;", "&");
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { page.clone() } else { joined(page, file) };
            let is_alive = match pages.get(&target) {
                Some(text) => anchor.is_empty() || text.contains(&format!("id=\"{anchor}\"")),
                None => target.exists(),
            };
            if !is_alive {
                dead.insert((page.clone(), link));
            }
        }
    }
    dead
}

/// Returns the path of a link relative to its page, without `..`.
fn joined(page: &Path, link: &str) -> PathBuf {
    let mut path = page.parent().unwrap_or(page).to_owned();
    for part in link.split('/') {
        match part {
            ".." => _ = path.pop(),
            "." | "" => {}
            part => path.push(part),
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::dead_links;
    use std::collections::BTreeMap;
    use std::path::PathBuf;

    #[test]
    fn a_link_without_its_page_or_anchor_is_dead() {
        let page = r##"<a href="#here" id="here"><a href="#gone"><a href="../b/x.html#there">"##;
        let other = r#"<a id="there" href="missing.html"><a href="https://example.org/none">"#;
        let pages = BTreeMap::from([
            (PathBuf::from("/doc/a/index.html"), page.to_owned()),
            (PathBuf::from("/doc/b/x.html"), other.to_owned()),
        ]);
        let dead: Vec<_> = dead_links(&pages).into_iter().map(|(_, link)| link).collect();
        assert_eq!(dead, ["#gone", "missing.html"]);
    }
}
