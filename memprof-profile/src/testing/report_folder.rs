//! Where reports go: the folder `memprof` in that of cargo's outputs.

use crate::testing::package_folder::package_folder;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

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
