//! The finished tree of names: branches in one list, each before what is below it.
//!
//! A branch takes 32 bytes and a leaf 24, so that the tree of a million names fits into 100 MB.

mod branch;
mod build;
mod counted;
mod counts;
mod grown;
mod joined;
mod leaf;
mod merge;
mod plain;
mod sorted;

pub(crate) use branch::Branches;
pub use branch::{Branch, Children};
pub(crate) use build::Builder;
pub(crate) use counted::counted;
pub use counts::Counts;
pub(crate) use grown::grow;
pub(crate) use joined::joined;
pub use leaf::Leaf;
pub(crate) use merge::Own;
pub(crate) use plain::Plain;
pub(crate) use sorted::{same_bytes, sort_by_text};

/// Branches nested deeper are not read from files: each view of a profile is as deep as its branches.
///
/// Names nest as types do, and the compiler stops types at 128 levels unless told otherwise.
pub(crate) const MAX_DEPTH: usize = 1024;
