//! The search for the files of a module, its own and separate debug files, and the reasons why names
//! are missing.

use super::SymbolSearch;
use crate::document::Module;
use core::fmt;
use memprof_profile::text::Shown;
use object::read::{Object, ObjectSection, ReadCache};
use std::fs;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The system's folder of debug files.
const SYSTEM: &str = "/usr/lib/debug";

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Files {
    pub(super) debug: Option<PathBuf>,
    /// All files, the best one first. At least one may have a table of symbols.
    pub(super) all: Vec<PathBuf>,
}

impl Files {
    pub(super) fn of(module: &Module, search: &SymbolSearch) -> Result<Self, Reason> {
        let wanted = module.build_id.as_deref().and_then(bytes).ok_or(Reason::NoBuildId)?;
        let own = Path::new(&module.path);
        let mut files = Self::default();
        let own_file = Facts::of(own);
        let is_other_build = own_file.as_ref().is_some_and(|own| own.build_id != wanted);
        let link = own_file.filter(|_| !is_other_build).and_then(|facts| {
            let link = facts.debug_link.clone();
            files.add(own.to_owned(), &facts);
            link
        });
        // A running program reads only the files that the loader has mapped.
        if files.debug.is_none() && search.deadline.is_none() {
            for path in candidates(own, &wanted, link.as_deref(), search) {
                let found = Facts::of(&path).filter(|facts| facts.build_id == wanted);
                if let Some(facts) = found {
                    files.add(path, &facts);
                }
                if files.debug.is_some() {
                    break;
                }
            }
        }
        match files.all.is_empty() {
            true if is_other_build => Err(Reason::OtherBuild),
            true => Err(Reason::NotFound),
            false => Ok(files),
        }
    }

    fn add(&mut self, path: PathBuf, facts: &Facts) {
        if facts.has_debug && self.debug.is_none() {
            self.debug = Some(path.clone());
        }
        self.all.push(path);
    }
}

/// The properties of a file that decide whether it is used.
struct Facts {
    build_id: Vec<u8>,
    has_debug: bool,
    debug_link: Option<String>,
}

impl Facts {
    /// Reads a file; returns `None` if it is not a regular file of a known format with a build id.
    fn of(path: &Path) -> Option<Self> {
        // Do not open a pipe, which may block.
        if !fs::metadata(path).ok()?.is_file() {
            return None;
        }
        let cache = ReadCache::new(File::open(path).ok()?);
        let object = object::File::parse(&cache).ok()?;
        let has_debug = object.section_by_name(".debug_info").is_some_and(|info| info.size() > 0);
        let link = object.gnu_debuglink().ok().flatten();
        Some(Self {
            build_id: object.build_id().ok().flatten()?.to_vec(),
            has_debug,
            debug_link: link.map(|(name, _)| String::from_utf8_lossy(name).into_owned()),
        })
    }
}

fn candidates(
    own: &Path,
    build_id: &[u8],
    link: Option<&str>,
    search: &SymbolSearch,
) -> Vec<PathBuf> {
    let hex = hexadecimal(build_id);
    let mut paths = Vec::new();
    // A `.gnu_debuglink` is only the name of a file: ignore one that leads to another folder.
    let link = link.filter(|link| !link.contains(['/', '\\']) && *link != "..");
    if let (Some(link), Some(folder)) = (link, own.parent()) {
        paths.extend([folder.join(link), folder.join(".debug").join(link)]);
        if let Ok(below) = folder.strip_prefix("/") {
            paths.push(Path::new(SYSTEM).join(below).join(link));
        }
    }
    let system = Path::new(SYSTEM);
    for folder in search.debug_dirs.iter().map(PathBuf::as_path).chain([system]) {
        paths.push(folder.join("buildid").join(&hex).join("debuginfo"));
        paths.push(folder.join(&hex).join("debuginfo"));
        if let Some((start, rest)) = hex.split_at_checked(2) {
            paths.push(folder.join(".build-id").join(start).join(format!("{rest}.debug")));
        }
        if folder != system {
            paths.extend(files_in(folder));
        }
    }
    paths
}

const MAX_FILES: usize = 10_000;

/// Sorts by name. A debug file may have any name, so the build id of each is read.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(MAX_FILES);
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths.retain(|path| path.is_file());
    paths
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digits = hex.as_bytes();
    let is_valid = !digits.is_empty() && digits.len().is_multiple_of(2);
    if !is_valid || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).ok()).collect()
}

/// Returns a build id as it is in recordings and in the names of files.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}

/// A module whose addresses have no names, or names without files and lines. `{}` formats the
/// reason and the fix.
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
        let [stay, need] = if self.addresses == 1 { ["stays", "needs"] } else { ["stay", "need"] };
        let id = Shown(self.build_id.as_deref().unwrap_or_default());
        let next = self.next_step();
        match self.reason {
            Reason::NoBuildId => write!(
                out,
                "{path} has no build id, so the names of {addresses} are unknown; link it with \
                 `-C link-arg=-Wl,--build-id`"
            ),
            Reason::NotFound => {
                write!(
                    out,
                    "no debug file for {path} (build id {id}): {addresses} {stay} unnamed; {next}"
                )
            }
            Reason::OtherBuild => {
                write!(
                    out,
                    "{path} is from a different build; {addresses} {need} build id {id}; {next}"
                )
            }
            Reason::Stripped => write!(
                out,
                "{path} (build id {id}) has no debug information, so the lines of {addresses} are \
                 unknown; {next}, or compile with `debug = \"line-tables-only\"`"
            ),
            Reason::Damaged => write!(
                out,
                "the debug information of {path} (build id {id}) is damaged, so the names of \
                 {addresses} are unknown; {next}"
            ),
        }
    }
}
