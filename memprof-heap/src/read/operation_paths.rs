//! The paths of operations with their names, and a reader that returns each new path once.

use crate::record::operation::OperationSite;
use crate::record::path_table::OTHER;
use crate::record::paths::{PathId, numbers, parent_of, path_of};
use crate::record::sample::unsampled;

/// The names of a [`PathId`]: a path of nested operations.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OperationPath {
    /// The number of the path.
    pub id: PathId,
    /// The names, the outermost first.
    pub names: Vec<&'static str>,
    /// The parent path, which has all names but the last; `None` for an outermost operation.
    pub parent: Option<PathId>,
    /// The file in which the innermost operation is named.
    pub file: &'static str,
    /// The line in `file`.
    pub line: u32,
}

/// Returns the names of a path, and the location of its innermost operation.
///
/// Returns `None` while another thread is still adding the path.
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

/// Returns all paths of operations that were entered up to now, by number. A path comes after its
/// parent. [`PathReader`] reads only new paths.
///
/// ```
/// use memprof::heap::operation::operation_paths;
/// use memprof::heap::Level;
/// use memprof::{operation, Allocator};
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

/// A reader that returns each path of operations once, as soon as its names are known.
///
/// ```
/// use memprof::heap::event::PathReader;
/// use memprof::heap::Level;
/// use memprof::{operation, Allocator};
///
/// #[global_allocator]
/// static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);
///
/// # fn main() {
/// let mut reader = PathReader::new();
/// reader.read();
/// drop(operation!("load"));
/// assert_eq!(reader.read()[0].names, ["load"]);
/// assert!(reader.read().is_empty());
/// # }
/// ```
///
/// # Cost
/// A reading takes time proportional to the number of new paths, not to the number of all paths.
#[derive(Clone, Debug)]
pub struct PathReader {
    unread: Unread,
}

/// The numbers that have not been read.
#[derive(Clone, Debug)]
struct Unread {
    next: u32,
    /// Numbers below `next` without a path: the thread that got the number has not stored the path
    /// yet.
    pending: Vec<u32>,
}

impl PathReader {
    /// Creates a reader that has read nothing.
    pub const fn new() -> Self {
        Self { unread: Unread { next: OTHER, pending: Vec::new() } }
    }

    /// Returns the paths that are new since the last call, by number. Paths whose names were not
    /// known at the last call come first.
    pub fn read(&mut self) -> Vec<OperationPath> {
        unsampled(|| {
            let mut paths = Vec::new();
            let end = numbers().end;
            self.unread.read(end, |number| {
                let path = operation_path(PathId(number));
                path.map(|path| paths.push(path)).is_some()
            });
            paths
        })
    }
}

impl Default for PathReader {
    fn default() -> Self {
        Self::new()
    }
}

impl Unread {
    /// Reads all numbers below `end` that can be read.
    fn read(&mut self, end: u32, mut can_read: impl FnMut(u32) -> bool) {
        self.pending.retain(|number| !can_read(*number));
        for number in self.next..end {
            if !can_read(number) {
                self.pending.push(number);
            }
        }
        self.next = self.next.max(end);
    }
}

#[cfg(test)]
mod tests {
    use super::Unread;

    #[test]
    fn a_path_that_is_stored_late_and_those_after_it_are_read_once() {
        let mut unread = Unread { next: 1, pending: Vec::new() };
        let mut read = Vec::new();
        let mut read_below = |end: u32, pending: &[u32]| {
            unread.read(end, |number| {
                let is_stored = !pending.contains(&number);
                if is_stored {
                    read.push(number);
                }
                is_stored
            });
            read.clone()
        };
        assert_eq!(read_below(4, &[2]), [1, 3]);
        assert_eq!(read_below(6, &[2, 4]), [1, 3, 5]);
        assert_eq!(read_below(6, &[]), [1, 3, 5, 2, 4]);
        assert_eq!(read_below(6, &[]).len(), 5);
    }
}
