//! `cargo xtask browser` and `cargo xtask gallery`: pages in headless Chromium, tested and drawn by
//! Playwright. The tests are in `memprof-export/web/e2e`.

use crate::built::{built, source_index};
use crate::page::npm;
use crate::tools::{chromium, output};
use crate::{Failure, target, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) struct Choices {
    pub(crate) parts: Vec<String>,
    /// These tests limit times, so they use an optimised build of the command line.
    pub(crate) speed: bool,
    pub(crate) skip_if_missing: bool,
}

pub(crate) fn run(choices: &Choices) -> Result<(), Failure> {
    let mut tests = match tests() {
        Err(error) if choices.skip_if_missing => {
            println!("skipped: {error}");
            return Ok(());
        }
        tests => tests?,
    };
    tests.arg("--project=chromium");
    if choices.speed {
        // Times are right only while no other test runs.
        tests.args(["--project=speed", "--workers=1"]).env("MEMPROF", memprof()?);
    } else {
        tests.env("MEMPROF", built(&["--locked", "--package", "memprof-cli"], "debug/memprof")?);
    }
    if !choices.parts.is_empty() {
        tests.args(["--grep", &choices.parts.join("|")]);
    }
    finish(tests)
}

pub(crate) fn gallery() -> Result<(), Failure> {
    let mut tests = tests()?;
    let folder = target("browser");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let folder = folder.canonicalize()?;
    let mut example = Command::new(source_index()?);
    example.current_dir(workspace()).args(["--rounds", "10", "--output-dir"]);
    output(example.arg(&folder))?;
    let mut files = fs::read_dir(&folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let is_document = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "json");
    let session = files.find(is_document).ok_or("the example wrote no document")?;
    let page = folder.join("source_index.html");
    output(Command::new(memprof()?).args([Path::new("html"), Path::new("-o"), &page, &session]))?;
    tests.arg("--project=gallery").env("GALLERY_PAGE", page);
    tests.env("GALLERY", workspace().join("docs/gallery").canonicalize()?);
    finish(tests)
}

fn tests() -> Result<Command, Failure> {
    let mut tests = npm()?;
    tests.args(["run", "--silent", "e2e", "--"]).env("CHROMIUM", chromium()?);
    Ok(tests)
}

fn finish(mut tests: Command) -> Result<(), Failure> {
    if tests.status()?.success() { Ok(()) } else { Err("a test of the page failed".into()) }
}

/// Builds the command line as users have it, except for link-time optimisation.
fn memprof() -> Result<PathBuf, Failure> {
    built(&["--locked", "--profile", "bench", "--package", "memprof-cli"], "release/memprof")
}
