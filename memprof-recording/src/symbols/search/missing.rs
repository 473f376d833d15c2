//! The modules in which no names were found, and the reasons.

use crate::document::Module;
use core::fmt;
use memprof_profile::text::Shown;

/// A module whose addresses have no names, or names without files and lines. `{}` formats the
/// reason and the action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingNames {
    pub(super) path: String,
    pub(super) build_id: Option<String>,
    pub(super) addresses: usize,
    pub(super) reason: Reason,
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
    pub(super) fn new(module: &Module, addresses: usize, reason: Reason) -> Self {
        let (path, build_id) = (module.path.clone(), module.build_id.clone());
        Self { path, build_id, addresses, reason }
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
        let id = Shown(self.build_id.as_deref().unwrap_or_default());
        let folder = "pass the folder of its debug file as `--debug-dir`";
        match self.reason {
            Reason::NoBuildId => write!(
                out,
                "{path} has no build id, so {addresses} have no names; link it with \
                 `-C link-arg=-Wl,--build-id`"
            ),
            Reason::NotFound => {
                write!(out, "found no file of {path} with build id {id} for {addresses}; {folder}")
            }
            Reason::OtherBuild => {
                write!(out, "{path} is another build: {addresses} need build id {id}; {folder}")
            }
            Reason::Stripped => write!(
                out,
                "{path} has no debug information: {addresses} with build id {id} lack file and \
                 line; {folder}, or compile with `debug = \"line-tables-only\"`"
            ),
            Reason::Damaged => write!(
                out,
                "the debug information of {path} with build id {id} is damaged: {addresses} have \
                 no names; {folder}"
            ),
        }
    }
}
