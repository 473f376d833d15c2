//! The modules in which no names were found, and the reasons.

use super::SymbolSearch;
use super::files::files_in;
use crate::document::Module;
use core::fmt;
use memprof_profile::text::Shown;
use std::path::Path;

/// A module whose addresses have no names, or names without files and lines. `{}` formats the
/// reason and the action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingNames {
    pub(super) path: String,
    pub(super) build_id: Option<String>,
    pub(super) addresses: usize,
    pub(super) reason: Reason,
    /// The names of files in the folders of debug files, with another build id or without one.
    tried: Vec<String>,
    folders: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// The module has no build id, so a file cannot be proved to be the right one.
    NoBuildId,
    /// No file has the build id.
    NotFound,
    /// The module's path leads to a file of another build.
    OtherBuild,
    /// A file has the build id, but no debug information.
    Stripped,
    /// A file has the build id, and its debug information is damaged.
    Damaged,
}

impl MissingNames {
    pub(super) fn new(
        module: &Module,
        addresses: usize,
        reason: Reason,
        search: &SymbolSearch,
    ) -> Self {
        let (path, build_id) = (module.path.clone(), module.build_id.clone());
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let tried = search.debug_dirs.iter().flat_map(|folder| files_in(folder));
        let tried = tried.map(|path| text(Path::new(path.file_name().unwrap_or_default())));
        let folders = search.debug_dirs.iter().map(|folder| text(folder));
        let (tried, folders) = (tried.collect(), folders.collect());
        Self { path, build_id, addresses, reason, tried, folders }
    }

    /// Returns what was tried in the folders of debug files, or the option that names a folder.
    fn next_step(&self) -> String {
        /// The number of names shown.
        const SHOWN: usize = 5;
        if self.folders.is_empty() {
            return "pass the folder of its debug file as `--debug-dir`".to_owned();
        }
        let folders: Vec<_> = self.folders.iter().map(|name| Shown(name).to_string()).collect();
        let mut names: Vec<_> =
            self.tried.iter().take(SHOWN).map(|name| Shown(name).to_string()).collect();
        let more = self.tried.len().saturating_sub(SHOWN);
        if more > 0 {
            names.push(format!("{more} more"));
        }
        if names.is_empty() {
            names.push("no file".to_owned());
        }
        format!("not in {}, which has {}", folders.join(", "), names.join(", "))
    }

    /// Returns the path of the module in the recorded process.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the build id that a file must have, in hexadecimal digits.
    pub fn build_id(&self) -> Option<&str> {
        self.build_id.as_deref()
    }
}

impl fmt::Display for MissingNames {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = Shown(&self.path);
        let addresses = memprof_profile::text::counted(self.addresses as u64, "frame");
        let stay = if self.addresses == 1 { "stays" } else { "stay" };
        let id = Shown(self.build_id.as_deref().unwrap_or_default());
        let next = self.next_step();
        match self.reason {
            Reason::NoBuildId => write!(
                out,
                "{path} has no build id, so {addresses} have no names; link it with \
                 `-C link-arg=-Wl,--build-id`"
            ),
            Reason::NotFound => {
                write!(
                    out,
                    "no debug file for {path} (build id {id}): {addresses} {stay} unnamed; {next}"
                )
            }
            Reason::OtherBuild => {
                write!(out, "{path} is another build: {addresses} need build id {id}; {next}")
            }
            Reason::Stripped => write!(
                out,
                "{path} has no debug information: {addresses} with build id {id} lack file and \
                 line; {next}, or compile with `debug = \"line-tables-only\"`"
            ),
            Reason::Damaged => write!(
                out,
                "the debug information of {path} with build id {id} is damaged: {addresses} have \
                 no names; {next}"
            ),
        }
    }
}
