//! The views of a finished profile: each reads the tree of names and changes nothing.
//!
//! | question | item |
//! |---|---|
//! | What does the whole profile look like? | [`Tree`], from [`Profile::tree`](crate::Profile::tree) |
//! | Which paths are the largest? | [`Top`], from [`Profile::top`](crate::Profile::top) |
//! | What changed since a baseline? | [`Diff`], from [`Profile::diff`](crate::Profile::diff) |
//! | How do two profiles of the same data compare? | [`Comparison`] |
//! | In which units are amounts printed? | [`Units`], [`Amount`], [`Grouped`] |
//! | Why was a file or a picture refused? | [`FoldedError`], `JsonError`, `FlamegraphError` |

mod markdown;
mod text;

#[cfg(any(feature = "json", feature = "yaml"))]
mod flat;

pub(crate) mod leaves;
pub(crate) mod path;
pub(crate) mod visit;

mod footer;
mod marks;
mod notes;
mod parts;

mod comparison;
mod diff;
pub(crate) mod find;
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

pub use crate::text::{Amount, Grouped, Units};
pub use comparison::Comparison;
pub use diff::{Diff, DiffEntry, DiffKind};
#[cfg(feature = "flamegraph")]
pub use flamegraph::FlamegraphError;
pub use folded::FoldedError;
pub(crate) use footer::{footer, limited_origin, style as footer_style, wrapped};
#[cfg(feature = "json")]
pub use json::JsonError;
pub(crate) use leaves::listed_leaves;
pub(crate) use marks::Marks;
pub(crate) use screen::on_screen;
pub use top::{Top, TopPath};
pub(crate) use tree::Intervals;
pub use tree::Tree;
