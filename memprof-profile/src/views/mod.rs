//! The views of a finished profile: each reads the tree of names and changes nothing.
//!
//! | question | item |
//! |---|---|
//! | What does the whole profile look like? | [`Tree`], from [`Profile::tree`](crate::Profile::tree) |
//! | Which paths are the largest? | [`Top`], from [`Profile::top`](crate::Profile::top) |
//! | What changed since a baseline? | [`Diff`], from [`Profile::diff`](crate::Profile::diff) |
//! | How do two profiles of the same data compare? | [`Comparison`] |
//! | How do I choose the units of amounts? | [`Units`], [`Amount`], [`Grouped`] |
//! | Why was a file or a picture refused? | [`FoldedError`], `JsonError`, `FlamegraphError` |

mod comparison;
mod diff;
mod folded;
mod notes;
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
#[cfg(feature = "json")]
pub use json::JsonError;
pub(crate) use notes::{
    Known, Marks, footer, footer_style, is_lower_bound, limited_origin, lower_bound, spare_bytes,
    wrapped,
};
pub use notes::{has_unread, missing_values};
pub use top::{Top, TopPath};
pub use tree::Tree;
pub(crate) use tree::{Intervals, on_screen};

use crate::tree::{Branch, BranchId};
use std::io;

/// Defines methods that need a feature, for the compiler alone: where the feature is off, a call does
/// not compile, and the error names the feature.
macro_rules! needs_feature {
    ($feature:literal, $message:literal, $is_on:ident: $($method:ident($($argument:ty)?) -> $result:ty),*) => {
        #[cfg(not(feature = $feature))]
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "turn the feature on in `Cargo.toml`"
        )]
        pub trait $is_on {}

        #[cfg(not(feature = $feature))]
        impl crate::Profile {$(
            // The lifetime keeps the compiler from rejecting the bound here already.
            #[doc(hidden)]
            pub fn $method(&self $(, _: $argument)?) -> $result
            where
                for<'a> &'a Self: $is_on,
            {
                unreachable!("no type has the bound")
            }
        )*}
    };
}
needs_feature!(
    "json", "this method needs the feature `json` of memprof", JsonIsOn:
    to_json() -> io::Result<String>, write_json(impl io::Write) -> io::Result<()>
);
needs_feature!(
    "yaml", "this method needs the feature `yaml` of memprof", YamlIsOn:
    to_yaml() -> String, write_yaml(impl io::Write) -> io::Result<()>
);
needs_feature!(
    "flamegraph", "this method needs the feature `flamegraph` of memprof", FlamegraphIsOn:
    to_flamegraph() -> io::Result<String>
);

fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    let written = write(&mut bytes).map(|()| String::from_utf8(bytes));
    written.expect("writing to a vector does not fail").expect("names are UTF-8")
}

/// A branch with its parent and depth, in a flat list, which is the form in which files store trees.
#[cfg_attr(not(feature = "json"), allow(dead_code, reason = "comparisons read only the parents"))]
pub(crate) struct FlatBranch<'p> {
    pub(crate) branch: Branch<'p>,
    pub(crate) parent: Option<BranchId>,
    /// The number of frames in the path; 1 for the root.
    pub(crate) depth: usize,
}

/// Returns every branch from `root` down, each before its children.
pub(crate) fn flat(root: Branch<'_>) -> impl Iterator<Item = FlatBranch<'_>> {
    let mut ancestors: Vec<Branch<'_>> = Vec::new();
    root.subtree().map(move |branch| {
        while ancestors.pop_if(|ancestor| ancestor.end() <= branch.id()).is_some() {}
        let parent = ancestors.last().map(|parent| parent.id());
        ancestors.push(branch);
        FlatBranch { branch, parent, depth: ancestors.len() }
    })
}
