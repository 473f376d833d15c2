//! Programs on pages of the guide whose output the page shows: each is built and run, and must print
//! what the block of text below it shows.

use super::missing;
use crate::{Failure, target, workspace};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The pages, each with the first words of those blocks of text that the page's programs print.
const PAGES: [(&str, &[&str]); 2] = [
    ("docs/allocations.md", &["7.8 KiB live", "10 rows", "9.4 MiB"]),
    ("docs/estimates.md", &["Vec "]),
];

const MANIFEST: &str = r#"[package]
name = "programs"
version = "0.1.0"
edition = "2024"

[dependencies]
memprof = { path = "MEMPROF", features = ["full"] }

[workspace]
"#;

pub(super) fn run() -> Result<(), Failure> {
    let package = target("tutorial").join("programs");
    if package.exists() {
        fs::remove_dir_all(&package)?;
    }
    let folder = package.join("src/bin");
    fs::create_dir_all(&folder)?;
    let root = workspace().canonicalize()?;
    fs::write(
        package.join("Cargo.toml"),
        MANIFEST.replace("MEMPROF", &root.display().to_string()),
    )?;
    // The same versions as in the workspace, which are compiled already.
    fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock"))?;
    let mut outputs = Vec::new();
    for (page, shown) in PAGES {
        let text = fs::read_to_string(root.join(page))?;
        for first in shown {
            let (program, output) = program_and_output(&text, first)
                .ok_or_else(|| format!("{page} has no program that prints {first:?}"))?;
            let name = format!("program_{}", outputs.len());
            fs::write(folder.join(format!("{name}.rs")), with_main(&program))?;
            outputs.push((page, name, output));
        }
    }
    for (page, name, shown) in &outputs {
        let printed = output(&package, name)?;
        if let Some(line) = missing(shown, &printed) {
            return Err(format!("a program of {page} did not print\n{line}\nbut\n{printed}").into());
        }
    }
    println!("{} programs print what their pages show", outputs.len());
    Ok(())
}

/// Returns the last block of Rust before the block of text that begins with these words, and the
/// lines of that block of text.
fn program_and_output(page: &str, first: &str) -> Option<(String, Vec<String>)> {
    let mut program = None;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(language) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match language {
            "rust" => program = Some(block.join("\n")),
            "text" if block.first().is_some_and(|line| line.starts_with(first)) => {
                return Some((program?, block.into_iter().map(str::to_owned).collect()));
            }
            _ => {}
        }
    }
    None
}

/// Returns a program of a block, which may be the body of `main`, as in rustdoc.
fn with_main(block: &str) -> String {
    if block.contains("fn main()") {
        block.to_owned()
    } else {
        format!("fn main() {{\n{block}\n}}\n")
    }
}

fn output(package: &Path, name: &str) -> Result<String, Failure> {
    let mut cargo: Command = crate::cargo();
    cargo.args(["run", "--quiet", "--bin", name]).current_dir(package);
    let output = cargo.env("CARGO_TARGET_DIR", target("").canonicalize()?).output()?;
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{name} failed: {}\n{error}", output.status).into());
    }
    // The page shows a program of its own package.
    let main = format!("src/bin/{name}.rs");
    Ok(String::from_utf8(output.stdout)?.replace(&main, "src/main.rs").replace(name, "app"))
}
