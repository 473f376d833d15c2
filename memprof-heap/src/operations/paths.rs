//! Operations within operations: each path of names has a number.
//!
//! An operation that is entered within itself, directly or through others, leads back to the path
//! it had: `parse;value;parse` is `parse`. So there are as many paths as the program has names in
//! different orders, however deep it recurses.
//!
//! Paths are never removed, and found without a lock: also in a child process whose parent forked
//! while another thread was here.

mod reader;
mod table;

pub use reader::PathReader;

use super::site::OperationSite;
use crate::sampling::unsampled;
use crate::sync::AtomicU32;
use std::sync::OnceLock;
use table::{Named, OTHER, Path, Table};

/// The number of a path of operations, from 1 on. It stays the path's as long as the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathId(pub(super) u32);

/// Operations within operations: what a [`PathId`] stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperationPath {
    /// Its number.
    pub id: PathId,
    /// The names, the outermost first.
    pub names: Vec<&'static str>,
    /// The path around it, which has all names but the last; `None` for an outermost operation.
    pub parent: Option<PathId>,
    /// The file in which the innermost operation is named.
    pub file: &'static str,
    /// The line there.
    pub line: u32,
}

impl PathId {
    /// The number.
    pub fn number(self) -> u32 {
        self.0
    }

    /// `None` for `ROOT`.
    pub(crate) fn of(path: u32) -> Option<Self> {
        (path != ROOT).then_some(Self(path))
    }
}

/// The names of a path, and where it is named.
///
/// `None` for a number that no path has yet, as another thread is about to add it.
pub fn operation_path(id: PathId) -> Option<OperationPath> {
    unsampled(|| {
        let sites = path_of(id.0);
        let site = *sites.last()?;
        Some(OperationPath {
            id,
            names: sites.into_iter().map(OperationSite::name).collect(),
            parent: PathId::of(parent_of(id.0)),
            file: site.file(),
            line: site.line(),
        })
    })
}

/// All paths of operations that were entered up to now, by number: a path comes after the one
/// around it. [`PathReader`] reads those that are new.
///
/// ```
/// use memprof_heap::{Allocator, Level, operation, operation_paths};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() {
/// {
///     let _outer = operation!("load");
///     let _inner = operation!("parse");
/// }
/// let paths = operation_paths();
/// let parse = paths.iter().find(|path| path.names == ["load", "parse"]).expect("it was entered");
/// let load = paths.iter().find(|path| Some(path.id) == parse.parent).expect("it is around");
/// assert_eq!(load.names, ["load"]);
/// # }
/// ```
pub fn operation_paths() -> Vec<OperationPath> {
    unsampled(|| numbers().filter_map(|number| operation_path(PathId(number))).collect())
}

/// Paths that have a number of their own; the rest is `OTHER`.
pub(crate) const PATHS: usize = 4096;

/// No operation.
pub(crate) const ROOT: u32 = 0;

static OTHERS: OperationSite = OperationSite::new("<other>", "", 0);

static TABLE: Table<&OperationSite, PATHS> = Table {
    paths: [const { OnceLock::new() }; PATHS],
    index: [const { [const { AtomicU32::new(0) }; 2] }; PATHS],
    next: AtomicU32::new(OTHER + 1),
};

impl Named for &'static OperationSite {
    fn name(self) -> &'static str {
        OperationSite::name(self)
    }
}

/// The path from `parent` to an operation, and whether that is `parent` or around it.
pub(super) fn path_to(parent: u32, site: &'static OperationSite) -> (u32, bool) {
    let mut outer = parent;
    while let Some(path) = get(outer) {
        if path.site.name() == site.name() {
            return (outer, true);
        }
        outer = path.parent;
    }
    if outer == OTHER {
        return (OTHER, true);
    }
    (TABLE.child(parent, site), false)
}

fn get(number: u32) -> Option<&'static Path<&'static OperationSite>> {
    TABLE.get(number)
}

/// The operations of a path, the outermost first; none for `ROOT`.
pub(crate) fn path_of(number: u32) -> Vec<&'static OperationSite> {
    if number == OTHER {
        return vec![&OTHERS];
    }
    let mut sites = Vec::new();
    let mut next = number;
    while let Some(path) = get(next) {
        sites.push(path.site);
        next = path.parent;
    }
    sites.reverse();
    sites
}

/// The number of the path around, `ROOT` if there is none.
pub(super) fn parent_of(number: u32) -> u32 {
    get(number).map_or(ROOT, |path| path.parent)
}

/// All numbers that a path may have.
pub(super) fn numbers() -> core::ops::Range<u32> {
    TABLE.numbers()
}
