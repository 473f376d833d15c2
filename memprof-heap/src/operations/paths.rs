//! Paths of nested operations. Each path of names has a number.
//!
//! An operation that is entered within itself, directly or through others, returns to the path that
//! it had: `parse;value;parse` is `parse`. So the number of paths depends on how the program nests
//! its names, and not on the depth of recursion.
//!
//! Paths are never removed, and are found without a lock. So paths also work in a child process
//! that was forked while another thread added a path.

mod table;

use super::site::OperationSite;
use crate::base::sync::{AtomicPtr, AtomicU32};
use core::ptr;
pub(crate) use table::OTHER;
use table::{Entry, Named, Path, Table};

/// The number of a path of operations, from 1. A path keeps its number as long as the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathId(pub(crate) u32);

impl PathId {
    /// Returns the number.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Returns the number as a `PathId`, or `None` for `ROOT`.
    pub(crate) fn of(path: u32) -> Option<Self> {
        (path != ROOT).then_some(Self(path))
    }
}

/// The maximum number of paths that have a number of their own. All others are counted as `OTHER`.
pub(crate) const PATHS: usize = 4096;

/// The path outside all operations.
pub(crate) const ROOT: u32 = 0;

static OTHERS: OperationSite = OperationSite::new("<other>", "", 0);

static TABLE: Table<OperationSite, PATHS> = Table {
    paths: [const { Entry { parent: AtomicU32::new(0), site: AtomicPtr::new(ptr::null_mut()) } };
        PATHS],
    index: [const { [const { AtomicU32::new(0) }; 2] }; PATHS],
    added: AtomicU32::new(0),
};

impl Named for OperationSite {
    fn name(&self) -> &'static str {
        OperationSite::name(self)
    }
}

/// Returns the path of an operation that is entered within `parent`. The flag is true if that path
/// is `parent` itself or a path around it.
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

fn get(number: u32) -> Option<Path<OperationSite>> {
    TABLE.get(number)
}

/// Returns the operations of a path, the outermost first; empty for `ROOT`.
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

/// Returns the number of the parent path, or `ROOT` if it has no parent.
pub(crate) fn parent_of(number: u32) -> u32 {
    get(number).map_or(ROOT, |path| path.parent)
}

/// Returns all numbers that a path may have.
pub(crate) fn numbers() -> core::ops::Range<u32> {
    TABLE.numbers()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use object::{Object, ObjectSection};

    /// An empty table whose bytes are not all zero would take space in the file of every program.
    #[test]
    fn the_table_takes_no_space_in_the_programs_file() {
        let program = std::env::current_exe().expect("the program has a path");
        let program = std::fs::read(program).expect("the program can be read");
        let program = object::File::parse(&*program).expect("the program is an object file");
        let data = program.section_by_name(".data").expect("the program has data").size();
        assert!(data < size_of_val(&super::TABLE) as u64, "{data} bytes of data");
    }
}
