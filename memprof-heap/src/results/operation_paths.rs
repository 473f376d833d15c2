//! The paths of operations with their names.

mod reader;

pub use reader::PathReader;

use crate::operations::OperationSite;
use crate::operations::paths::{PathId, numbers, parent_of, path_of};
use crate::sampling::unsampled;

/// The names of a [`PathId`]: operations within operations.
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
