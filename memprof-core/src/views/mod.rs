//! The views of a finished profile: each reads the tree of names and changes nothing.

mod escape;
mod markdown;
mod signed;
mod text;
mod units;
mod width;

#[cfg(any(feature = "json", feature = "yaml"))]
mod flat;

mod leaves;
mod path;
mod visit;

mod marks;
mod notes;
mod parts;
mod verdict;

mod diff;
mod folded;
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

pub use diff::{Diff, DiffEntry, DiffKind};
pub(crate) use escape::Frame;
#[cfg(feature = "flamegraph")]
pub use flamegraph::FlamegraphError;
pub use folded::FoldedError;
#[cfg(feature = "json")]
pub use json::JsonError;
pub use leaves::Leaves;
pub use path::Path;
pub use top::{Top, TopPath};
pub use tree::Tree;
pub use units::{Amount, Units};
pub use visit::Visitor;
