//! Budgets and tolerances for tests, and the functions that the macros call.
//!
//! | question | item |
//! |---|---|
//! | How does a test print a report? | [`report!`](macro@crate::report) |
//! | How does a test limit a value or a path? | [`assert_budget!`](crate::assert_budget), [`Budget`], [`BudgetExceeded`] |
//! | How does a test compare with a stored profile? | [`assert_profile!`](macro@crate::testing::assert_profile), [`Tolerance`] |
//! | Why was an amount such as `64 MB` refused? | [`AmountError`] |

pub use crate::assert_profile;
pub use crate::budget::{AmountError, Budget, BudgetExceeded, Tolerance};
#[cfg(feature = "json")]
#[doc(hidden)]
pub use stored::assert_profile;

use crate::text::{cut, macro_call};
use crate::views::on_screen;
use crate::{MemoryProfile, Profile};
use core::any::type_name;
use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fs, io};

#[cfg(feature = "json")]
mod stored;
#[cfg(test)]
mod tests;

/// Prints a report on a value and writes it to a file named after the test.
///
/// The text is [`Profile::report`](crate::Profile::report) with the tree below it, within one
/// screen.
///
/// ```
/// let names: Vec<String> = (0..1000).map(|i| format!("row {i}")).collect();
/// memprof::report!(names);
/// ```
///
/// The test harness hides the output of tests that pass, so the report is also written to the
/// folder `target/memprof`:
///
/// - The test `tree::grows` of the crate `model` writes `model.tree.grows.txt`.
/// - A second report of the same test is in `model.tree.grows-2.txt`.
/// - The test `tree::grows` in `tests/all.rs` of that crate writes `model.all.tree.grows.txt`.
///
/// A report written outside a test, or on a thread that a test started, is named after its root.
/// The folder is in the `target` directory that contains the program. Programs elsewhere, such as
/// documentation examples, only print.
///
/// The argument is an expression. Its value is a [`Profile`](crate::Profile) or has a type that
/// implements [`MemoryProfile`](trait@crate::MemoryProfile). The macro borrows the value.
///
/// # Panics
/// Panics if the value is a mutable reference, or a reference to a reference, because a reference
/// owns nothing.
#[macro_export]
macro_rules! report {
    ($value:expr $(,)?) => {{
        use $crate::testing::Profiled as _;
        $crate::testing::report(
            ::core::stringify!($value),
            ($value).__memprof_profile(),
            ::core::module_path!(),
            ::core::option_env!("CARGO_PKG_NAME"),
        )
    }};
}

/// Panics if the profile of a value differs from a stored one.
///
/// ```no_run
/// let matrix = (vec![0.0_f64; 4096], vec![0_u32; 4096]);
/// memprof::testing::assert_profile!(matrix, "tests/data/profiles/matrix.json");
/// memprof::testing::assert_profile!(matrix, "tests/data/profiles/matrix.json", within "5%");
/// ```
///
/// The path is relative to the folder of the crate's manifest. The file is JSON, as
/// [`Profile::to_json`](crate::Profile::to_json) writes it. `MEMPROF_UPDATE=1 cargo test` writes
/// the file wherever the assertion would fail, and also if there is no file yet. Commit the file,
/// so that reviewers see every change.
///
/// Profiles are compared path by path, as [`Profile::diff`](crate::Profile::diff) does. The name of
/// the root is ignored. A [`Tolerance`](crate::testing::Tolerance) limits how much each path, and
/// the total, may grow or shrink. It is a percentage of the total of the stored profile, or an
/// amount such as `"4 KiB"`.
///
/// # Panics
/// - Panics if a path is new, is gone, or changed by more than the tolerance.
/// - Panics if a part of the value was not visited, because it is locked or borrowed.
/// - Panics if the file does not exist, is not a profile, or cannot be written.
/// - Panics if the value is a mutable reference, or a reference to a reference, as in
///   [`assert_budget!`](crate::assert_budget).
///
/// The message lists the differences, largest first, within a screen of 40 lines and 100 columns.
#[cfg(feature = "json")]
#[macro_export]
macro_rules! assert_profile {
    ($value:expr, $path:expr $(, within $tolerance:expr)? $(,)?) => {{
        use $crate::testing::Profiled as _;
        $crate::testing::assert_profile(
            ::core::stringify!($value),
            ($value).__memprof_profile(),
            ::core::option_env!("CARGO_MANIFEST_DIR"),
            $path,
            &[$($tolerance)?],
        )
    }};
}

/// Fails to compile, because comparing with a stored profile needs the feature `json`.
#[cfg(not(feature = "json"))]
#[macro_export]
macro_rules! assert_profile {
    ($($input:tt)*) => {
        ::core::compile_error!("`assert_profile!` needs the feature `json` of memprof")
    };
}

/// A value that the macros accept: a profile, or anything that can be profiled.
///
/// Method resolution dereferences the macro's value, so the method is called on the value behind a
/// reference. A value that is still a reference owns nothing and would be within any budget, so it
/// is an error.
#[doc(hidden)]
pub trait Profiled {
    /// Returns the profile, or the name of the type if the type is a reference.
    fn __memprof_profile(&self) -> Result<Cow<'_, Profile>, &'static str>;
}

impl<T: MemoryProfile + ?Sized> Profiled for T {
    fn __memprof_profile(&self) -> Result<Cow<'_, Profile>, &'static str> {
        let name = type_name::<T>();
        if name.starts_with('&') {
            return Err(name);
        }
        Ok(Cow::Owned(Profile::of(self)))
    }
}

impl Profiled for Profile {
    fn __memprof_profile(&self) -> Result<Cow<'_, Profile>, &'static str> {
        Ok(Cow::Borrowed(self))
    }
}

/// Returns the profile of a macro's value.
///
/// # Panics
/// Panics if `profile` is an error, because the value is a reference.
#[doc(hidden)]
#[track_caller]
pub fn profiled<'p>(
    called: &str,
    expression: &str,
    profile: Result<Cow<'p, Profile>, &'static str>,
) -> Cow<'p, Profile> {
    // A panic in a closure would not have the caller's location.
    match profile {
        Ok(profile) => profile,
        Err(type_name) => {
            let value = expression.trim_start_matches(['&', '*', ' ']);
            let value = value.strip_prefix("mut ").unwrap_or(value);
            let call = macro_call(called, expression);
            panic!("{call}: `{type_name}` is a reference and owns nothing; pass `*{value}`")
        }
    }
}

/// Converts a budget from any accepted form.
///
/// # Panics
/// Panics if the value is not a budget.
#[doc(hidden)]
#[track_caller]
pub fn budget<B: TryInto<Budget, Error: Into<AmountError>>>(expression: &str, budget: B) -> Budget {
    match budget.try_into().map_err(Into::<AmountError>::into) {
        Ok(budget) => budget,
        Err(error) => panic!("{}: {error}", macro_call("assert_budget", expression)),
    }
}

/// Implements `assert_budget!`.
///
/// # Panics
/// Panics if the profile is not within the budgets.
#[doc(hidden)]
#[track_caller]
pub fn assert_budget(
    expression: &str,
    profile: Result<Cow<'_, Profile>, &'static str>,
    whole: Budget,
    paths: &[(&str, Budget)],
) {
    let profile = profiled("assert_budget", expression, profile);
    if let Err(error) = profile.check_budget(whole, paths) {
        let message = format!("{}: {error}", macro_call("assert_budget", expression));
        let (first, rest) = message.split_once('\n').unwrap_or((&message, ""));
        panic!("{}\n{rest}", cut(first, 100));
    }
}

/// Implements `report!`.
///
/// # Panics
/// Panics if `profile` is an error, because the value is a reference.
#[doc(hidden)]
#[track_caller]
pub fn report(
    expression: &str,
    profile: Result<Cow<'_, Profile>, &'static str>,
    module: &str,
    package: Option<&str>,
) {
    let profile = profiled("report", expression, profile);
    let text = text(&profile);
    let crate_name = crate_name(module, package);
    let subject = current_test().unwrap_or_else(|| profile.root().name().into());
    println!("{text}");
    let Some(folder) = std::env::current_exe().ok().as_deref().and_then(report_folder) else {
        return;
    };
    let file = numbered(folder.join(file_name(&crate_name, &subject)));
    match write(&file, &text) {
        Ok(()) => println!("report in {}", file.display()),
        Err(error) => println!("no report in {}: {error}", file.display()),
    }
}

/// Cargo marks the folder of its outputs with a `CACHEDIR.TAG` if it creates it. If the folder
/// exists already, for example as a mounted volume, it holds only cargo's data about the compiler.
fn report_folder(program: &Path) -> Option<PathBuf> {
    let is_target = |folder: &&Path| {
        ["CACHEDIR.TAG", ".rustc_info.json"].iter().any(|mark| folder.join(mark).is_file())
    };
    Some(program.ancestors().skip(1).find(is_target)?.join("memprof"))
}

/// Returns the package of a module and, if its name differs, the crate. In a workspace, many
/// packages may have a test crate named `all`.
fn crate_name(module: &str, package: Option<&str>) -> String {
    let crate_name = module.split("::").next().unwrap_or_default();
    match package.map(|package| package.replace('-', "_")) {
        Some(package) if package == crate_name => package,
        Some(package) => format!("{package}.{crate_name}"),
        None => crate_name.into(),
    }
}

/// The number of lines of a screen, minus the lines that name the file.
const LINES: usize = 38;

/// The minimum number of lines of the tree, even if the advice is long.
const LINES_OF_TREE: usize = 14;

const WIDTH: usize = 100;

/// The report and the tree end with the same footer on exactness, which is written once.
fn text(profile: &Profile) -> String {
    let report = profile.report().width(WIDTH).to_string();
    let report: Vec<&str> = report.lines().collect();
    let lines = LINES.saturating_sub(report.len()).max(LINES_OF_TREE);
    let tree = on_screen(profile, lines, WIDTH);
    let ends = report.iter().rev().zip(tree.lines().rev());
    let footer = ends.take_while(|(of_report, of_tree)| *of_report == of_tree).count();
    format!("{}\n\n{tree}", report[..report.len() - footer].join("\n"))
}

/// Adds the extension, and a number if this process has already written a report of that name.
fn numbered(name: PathBuf) -> PathBuf {
    static WRITTEN: Mutex<Option<HashMap<PathBuf, u64>>> = Mutex::new(None);
    let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    let count = written.get_or_insert_default().entry(name.clone()).or_default();
    *count += 1;
    let ending = if *count == 1 { ".txt".into() } else { format!("-{count}.txt") };
    let mut name = name.into_os_string();
    name.push(ending);
    name.into()
}

fn write(file: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, format!("{text}\n"))
}

/// In bytes. File systems allow 255, and a number and an extension are appended.
const MAX_NAME_LEN: usize = 160;

/// Returns a file name without its extension: the crate and the subject, joined by `.`.
///
/// `::` becomes `.`, and characters that are unsafe in a file name become `_`.
fn file_name(crate_name: &str, subject: &str) -> String {
    let name = format!("{crate_name}.{}", subject.replace("::", "."));
    let is_plain = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.');
    let name: String = name.chars().map(|char| if is_plain(char) { char } else { '_' }).collect();
    let name = name.trim_matches('.');
    let end = (0..=name.len().min(MAX_NAME_LEN)).rfind(|&end| name.is_char_boundary(end));
    let name = &name[..end.unwrap_or(0)];
    if name.is_empty() { "report".into() } else { name.into() }
}

/// Returns the name of the test that runs on this thread, if any. libtest names a thread after its
/// test. If it has only one thread, it runs tests on the main thread, which has no test's name.
fn current_test() -> Option<String> {
    let thread = std::thread::current();
    thread.name().filter(|&name| name != "main").map(Into::into)
}
