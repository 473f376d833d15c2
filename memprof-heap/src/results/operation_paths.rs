//! The paths of operations with their names.

mod reader;

pub use reader::PathReader;

use crate::operations::OperationSite;
use crate::operations::paths::{PathId, numbers, parent_of, path_of};
use crate::sampling::unsampled;

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
