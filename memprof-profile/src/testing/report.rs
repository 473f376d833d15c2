//! The implementation of `report!`, which prints the report and the tree of a value and writes them
//! to a file.

use crate::Profile;
use crate::testing::locations::{Environment, current_test, file_name};
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fs, io};

/// Implements `report!`.
///
/// # Panics
/// Panics if `profile` is an error, because the value is a reference.
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
    let folder = Environment::of_process(manifest_dir).report_folder();
    let file = numbered(folder.join(file_name(&crate_name, &subject)));
    println!("{text}");
    match write(&file, &text) {
        Ok(()) => println!("report in {}", file.display()),
        Err(error) => println!("no report in {}: {error}", file.display()),
    }
}

/// Returns the package of a module and, if its name differs, the crate. In a workspace, many
/// packages may have a test crate named `all`. Crates of documentation examples have names that
/// rustdoc generates, so they are left out.
pub(super) fn crate_name(module: &str, package: Option<&str>) -> String {
    let crate_name = module.split("::").next().unwrap_or_default();
    let is_rustdocs = crate_name == "rust_out" || crate_name.starts_with("doctest_");
    match package.map(|package| package.replace('-', "_")) {
        Some(package) if is_rustdocs || package == crate_name => package,
        Some(package) => format!("{package}.{crate_name}"),
        None => crate_name.into(),
    }
}

/// The number of lines of a screen, less the lines that name the file.
const LINES: usize = 38;

/// The minimum number of lines of the tree, even if the advice is long.
const LINES_OF_TREE: usize = 14;

const WIDTH: usize = 100;

/// Returns the report followed by the tree. Both end with the same footer on exactness, which is
/// written once.
pub(super) fn text(profile: &Profile) -> String {
    let report = profile.report().width(WIDTH).to_string();
    let report: Vec<&str> = report.lines().collect();
    let lines = LINES.saturating_sub(report.len()).max(LINES_OF_TREE);
    let tree = crate::views::on_screen(profile, lines, WIDTH);
    let ends = report.iter().rev().zip(tree.lines().rev());
    let footer = ends.take_while(|(of_report, of_tree)| *of_report == of_tree).count();
    format!("{}\n\n{tree}", report[..report.len() - footer].join("\n"))
}

/// Adds the extension, and a number if this process has already written a report of that name.
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
