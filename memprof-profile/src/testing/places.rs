//! Where files of tests are: the package's folder, the folder for reports, and the names in it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The folder of the package's manifest: where it was when the macro was compiled, else, as tests
/// may run on another machine, where whoever runs the test says that it is, else the current one.
pub(crate) fn package_folder(compiled: Option<&str>) -> PathBuf {
    existing(compiled.map(Into::into), std::env::var_os("CARGO_MANIFEST_DIR").map(Into::into))
}

/// The first of the two that is there.
pub(crate) fn existing(compiled: Option<PathBuf>, running: Option<PathBuf>) -> PathBuf {
    let there = |folder: &PathBuf| folder.is_dir();
    compiled.filter(there).or(running.filter(there)).unwrap_or_else(|| Path::new(".").into())
}

/// What tells where cargo writes its outputs.
#[derive(Debug)]
pub(crate) struct Surroundings {
    /// `CARGO_TARGET_DIR`.
    pub(crate) target_dir: Option<OsString>,
    /// The program that runs: a test's is in the outputs.
    pub(crate) program: Option<PathBuf>,
    /// The folder of the manifest of the crate that reports.
    pub(crate) manifest_dir: PathBuf,
}

impl Surroundings {
    pub(crate) fn of_process(manifest_dir: Option<&str>) -> Self {
        Self {
            target_dir: std::env::var_os("CARGO_TARGET_DIR").filter(|dir| !dir.is_empty()),
            program: std::env::current_exe().ok(),
            manifest_dir: package_folder(manifest_dir),
        }
    }

    /// The folder for reports.
    pub(crate) fn report_folder(&self) -> PathBuf {
        let target = self.named().or_else(|| self.around_program()).or_else(|| self.above());
        target.unwrap_or_else(|| self.manifest_dir.join("target")).join("memprof")
    }

    /// A relative name is relative to where cargo was started: most likely the workspace.
    fn named(&self) -> Option<PathBuf> {
        let named = Path::new(self.target_dir.as_ref()?);
        if named.is_absolute() {
            return Some(named.into());
        }
        let mut above = self.manifest_dir.ancestors().map(|folder| folder.join(named));
        above.find(|folder| folder.is_dir())
    }

    /// Cargo marks the folder of its outputs for backup programs.
    fn around_program(&self) -> Option<PathBuf> {
        let mut folders = self.program.as_ref()?.ancestors().skip(1);
        folders.find(|folder| folder.join("CACHEDIR.TAG").is_file()).map(Into::into)
    }

    fn above(&self) -> Option<PathBuf> {
        let mut targets = self.manifest_dir.ancestors().map(|folder| folder.join("target"));
        targets.find(|folder| folder.is_dir())
    }
}

/// Longer names are cut: file systems allow 255 bytes, and a number and an ending follow.
const LONGEST: usize = 160;

/// A name for a file, without an ending: the crate and what is reported, `.` between them and for
/// `::`, and `_` for whatever a file name had better not have.
pub(crate) fn file_name(crate_name: &str, subject: &str) -> String {
    let name = format!("{crate_name}.{}", subject.replace("::", "."));
    let is_plain = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | '.');
    let name: String = name.chars().map(|char| if is_plain(char) { char } else { '_' }).collect();
    let name = name.trim_matches('.');
    let name = &name[..name.floor_char_boundary(LONGEST)];
    if name.is_empty() { "report".into() } else { name.into() }
}

/// The test that runs on this thread, if one does: libtest calls a thread after its test, but runs
/// tests on the main thread where there is one thread only.
pub(crate) fn current_test() -> Option<String> {
    let thread = std::thread::current();
    thread.name().filter(|&name| name != "main").map(Into::into)
}
