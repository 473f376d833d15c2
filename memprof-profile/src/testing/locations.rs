//! The locations of test files: the package's folder, the folder for reports, and the names of
//! reports.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Returns the folder of the package's manifest.
///
/// Returns the first of these that exists: the manifest's folder at compile time,
/// `CARGO_MANIFEST_DIR` at run time, the current directory. Tests may run on another machine than
/// the one that compiled them.
pub(crate) fn package_folder(compiled: Option<&str>) -> PathBuf {
    existing(compiled.map(Into::into), std::env::var_os("CARGO_MANIFEST_DIR").map(Into::into))
}

/// Returns the first of the two folders that exists, or the current directory.
pub(crate) fn existing(compiled: Option<PathBuf>, running: Option<PathBuf>) -> PathBuf {
    let is_folder = |folder: &PathBuf| folder.is_dir();
    compiled
        .filter(is_folder)
        .or(running.filter(is_folder))
        .unwrap_or_else(|| Path::new(".").into())
}

/// The settings and paths that determine where cargo writes its outputs.
#[derive(Debug)]
pub(crate) struct Environment {
    /// `CARGO_TARGET_DIR`.
    pub(crate) target_dir: Option<OsString>,
    /// The running program; the program of a test is in cargo's output folder.
    pub(crate) program: Option<PathBuf>,
    /// The folder of the manifest of the crate that reports.
    pub(crate) manifest_dir: PathBuf,
}

impl Environment {
    pub(crate) fn of_process(manifest_dir: Option<&str>) -> Self {
        Self {
            target_dir: std::env::var_os("CARGO_TARGET_DIR").filter(|dir| !dir.is_empty()),
            program: std::env::current_exe().ok(),
            manifest_dir: package_folder(manifest_dir),
        }
    }

    /// Returns the folder for reports.
    pub(crate) fn report_folder(&self) -> PathBuf {
        let target = self
            .named_target()
            .or_else(|| self.program_target())
            .or_else(|| self.workspace_target());
        target.unwrap_or_else(|| self.manifest_dir.join("target")).join("memprof")
    }

    /// Returns the folder that `CARGO_TARGET_DIR` names. A relative name is relative to the folder
    /// in which cargo was started, which is most likely the workspace.
    fn named_target(&self) -> Option<PathBuf> {
        let named = Path::new(self.target_dir.as_ref()?);
        if named.is_absolute() {
            return Some(named.into());
        }
        let mut folders = self.manifest_dir.ancestors().map(|folder| folder.join(named));
        folders.find(|folder| folder.is_dir())
    }

    /// Returns the folder above the program that has the `CACHEDIR.TAG` of cargo's outputs.
    fn program_target(&self) -> Option<PathBuf> {
        let mut folders = self.program.as_ref()?.ancestors().skip(1);
        folders.find(|folder| folder.join("CACHEDIR.TAG").is_file()).map(Into::into)
    }

    fn workspace_target(&self) -> Option<PathBuf> {
        let mut targets = self.manifest_dir.ancestors().map(|folder| folder.join("target"));
        targets.find(|folder| folder.is_dir())
    }
}

/// The maximum number of bytes of a name. File systems allow 255, and a number and an extension are
/// appended.
const MAX_NAME_LEN: usize = 160;

/// Returns a file name without its extension: the crate and the subject, joined by `.`.
///
/// `::` becomes `.`, and characters that are unsafe in a file name become `_`.
pub(crate) fn file_name(crate_name: &str, subject: &str) -> String {
    let name = format!("{crate_name}.{}", subject.replace("::", "."));
    let is_plain = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.');
    let name: String = name.chars().map(|char| if is_plain(char) { char } else { '_' }).collect();
    let name = name.trim_matches('.');
    let name = &name[..name.floor_char_boundary(MAX_NAME_LEN)];
    if name.is_empty() { "report".into() } else { name.into() }
}

/// Returns the name of the test that runs on this thread, if any. libtest names a thread after its
/// test. If it has only one thread, it runs tests on the main thread, which has no test's name.
pub(crate) fn current_test() -> Option<String> {
    let thread = std::thread::current();
    thread.name().filter(|&name| name != "main").map(Into::into)
}
