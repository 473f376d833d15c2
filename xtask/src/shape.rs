//! `cargo xtask shape`: the size of the library crates, and the crates that users compile.

mod lines;
mod users;

use crate::{Failure, workspace};
use lines::{Counted, SHORT};
use std::fs;
use std::path::{Path, PathBuf};

/// Choices of the command line.
pub(crate) struct Choices {
    /// The root of the checkout (default: this one).
    pub(crate) root: Option<PathBuf>,
    /// Measures the builds of users.
    pub(crate) compile: bool,
    /// Lists short files.
    pub(crate) list: bool,
}

/// Prints the tables.
pub(crate) fn run(choices: &Choices) -> Result<(), Failure> {
    let root = choices.root.clone().unwrap_or_else(workspace);
    let crates = published(&root)?;
    let counted: Result<Vec<_>, Failure> = crates
        .iter()
        .map(|folder| Ok((name(folder)?, Counted::below(&folder.join("src"))?)))
        .collect();
    let counted = counted?;
    println!(
        "| library crate | lines of Rust | of them code | unit tests | files | under {SHORT} lines |"
    );
    println!("|---|---:|---:|---:|---:|---:|");
    let mut total = Counted::default();
    for (name, counted) in &counted {
        println!("| {name} | {} |", counted.cells());
        total.add(counted);
    }
    println!("| in all | {} |", total.cells());
    if choices.list {
        println!("\nFiles under {SHORT} lines:\n");
        for (path, lines) in &total.short {
            println!("- {} ({lines})", path.strip_prefix(&root)?.display());
        }
    }
    println!("\n{}", users::table(&root, choices.compile)?);
    Ok(())
}

/// Returns the folders of the workspace's published packages.
fn published(root: &Path) -> Result<Vec<PathBuf>, Failure> {
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    let mut folders = vec![root.to_path_buf()];
    for member in members(&manifest) {
        let folder = root.join(member);
        let manifest = fs::read_to_string(folder.join("Cargo.toml"))?;
        if !manifest.lines().any(|line| line == "publish = false") {
            folders.push(folder);
        }
    }
    Ok(folders)
}

/// Returns the folders of the workspace's members, in the order of its manifest.
pub(crate) fn members(manifest: &str) -> impl Iterator<Item = &str> {
    let list = manifest.split_once("members = [").map_or("", |(_, rest)| rest);
    let list = list.split_once(']').map_or("", |(list, _)| list);
    list.split('"').skip(1).step_by(2)
}

/// Returns the package's name.
fn name(folder: &Path) -> Result<String, Failure> {
    let manifest = fs::read_to_string(folder.join("Cargo.toml"))?;
    let name = manifest.lines().find_map(|line| line.strip_prefix("name = "));
    Ok(name.ok_or("a manifest without a name")?.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::members;

    #[test]
    fn members_are_read_over_several_lines() {
        let manifest = "[workspace]\nmembers = [\n    \"core\", \"tests/packages/guest\",\n    \"xtask\",\n]\n";
        assert_eq!(
            members(manifest).collect::<Vec<_>>(),
            ["core", "tests/packages/guest", "xtask"]
        );
    }
}
