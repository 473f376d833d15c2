//! The views of a finished profile: each reads the tree of names and changes nothing.

mod markdown;
mod text;

#[cfg(any(feature = "json", feature = "yaml"))]
mod flat;

mod leaves;
mod path;
mod visit;

mod marks;
mod notes;
mod parts;
mod verdict;

mod comparison;
mod diff;
mod find;
mod folded;
mod screen;
mod top;
mod tree;

#[cfg(feature = "flamegraph")]
mod flamegraph;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "yaml")]
mod yaml;

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;

pub use comparison::Comparison;
pub use diff::{Diff, DiffEntry, DiffKind, Tolerance};
pub use find::PathNotFound;
#[cfg(feature = "flamegraph")]
pub use flamegraph::FlamegraphError;
pub use folded::FoldedError;
#[cfg(feature = "json")]
pub use json::JsonError;
pub use leaves::Leaves;
pub(crate) use leaves::listed_leaves;
pub(crate) use marks::Marks;
pub use path::Path;
pub(crate) use screen::on_screen;
pub use top::{Top, TopPath};
pub use tree::Tree;
pub(crate) use verdict::{untold_by, verdict, wrapped};
pub use visit::Visitor;
