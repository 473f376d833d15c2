//! Operations within operations: each path of names has a number.
//!
//! An operation that is entered within itself, directly or through others, leads back to the path
//! it had: `parse;value;parse` is `parse`. So there are as many paths as the program has names in
//! different orders, however deep it recurses.
//!
//! Paths are never removed, and found without a lock: also in a child process whose parent forked
//! while another thread was here.

mod table;

use super::site::OperationSite;
use crate::base::sync::AtomicU32;
use std::sync::OnceLock;
pub(crate) use table::OTHER;
use table::{Named, Path, Table};

/// The number of a path of operations, from 1 on. It stays the path's as long as the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathId(pub(crate) u32);

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
pub(crate) fn parent_of(number: u32) -> u32 {
    get(number).map_or(ROOT, |path| path.parent)
}

/// All numbers that a path may have.
pub(crate) fn numbers() -> core::ops::Range<u32> {
    TABLE.numbers()
}
