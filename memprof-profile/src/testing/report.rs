//! `report!`: prints what a value takes and what to do about it, and writes that to a file.

use crate::Profile;
use crate::testing::places::{Surroundings, current_test, file_name};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fs, io};

/// What `report!` calls.
///
/// # Panics
/// If the value is a reference.
#[track_caller]
pub fn report(
    expression: &str,
    profile: Result<Cow<'_, Profile>, &'static str>,
    module: &str,
    package: Option<&str>,
    manifest_dir: Option<&str>,
) {
    let profile = crate::testing::profiled("report", expression, profile);
    let text = text(&profile);
    let crate_name = crate_name(module, package);
    let subject = current_test().unwrap_or_else(|| profile.root().name().into());
    let folder = Surroundings::of_process(manifest_dir).report_folder();
    let file = numbered(folder.join(file_name(&crate_name, &subject)));
    println!("{text}");
    match write(&file, &text) {
        Ok(()) => println!("report in {}", file.display()),
        Err(error) => println!("no report in {}: {error}", file.display()),
    }
}

/// The package that a module is in and, if it is called otherwise, the crate: in a workspace, many
/// packages may have tests in a crate called `all`. Examples in documents are crates of rustdoc's,
/// which nobody knows by name.
pub(super) fn crate_name(module: &str, package: Option<&str>) -> String {
    let crate_name = module.split("::").next().unwrap_or_default();
    let is_rustdocs = crate_name == "rust_out" || crate_name.starts_with("doctest_");
    match package.map(|package| package.replace('-', "_")) {
        Some(package) if is_rustdocs || package == crate_name => package,
        Some(package) => format!("{package}.{crate_name}"),
        None => crate_name.into(),
    }
}

/// Lines of a screen, less those that name the file.
const LINES: usize = 38;

/// Lines that the tree gets however long the advice is.
const LINES_OF_TREE: usize = 14;

const WIDTH: usize = 100;

/// What a report says: what the bytes serve, what to do, and the tree. Each of the two ends with
/// whether to trust it, which is said once.
pub(super) fn text(profile: &Profile) -> String {
    let report = profile.report().width(WIDTH).to_string();
    let report: Vec<&str> = report.lines().collect();
    let lines = LINES.saturating_sub(report.len()).max(LINES_OF_TREE);
    let tree = crate::views::on_screen(profile, lines, WIDTH);
    let ends = report.iter().rev().zip(tree.lines().rev());
    let verdict = ends.take_while(|(of_report, of_tree)| *of_report == of_tree).count();
    format!("{}\n\n{tree}", report[..report.len() - verdict].join("\n"))
}

/// The name with its ending, and a number if this process has written such a report before.
pub(super) fn numbered(name: PathBuf) -> PathBuf {
    static WRITTEN: Mutex<Option<HashMap<PathBuf, u64>>> = Mutex::new(None);
    let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    let count = written.get_or_insert_default().entry(name.clone()).or_default();
    *count += 1;
    let ending = if *count == 1 { ".txt".into() } else { format!("-{count}.txt") };
    let mut name = name.into_os_string();
    name.push(ending);
    name.into()
}

pub(super) fn write(file: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, format!("{text}\n"))
}
