//! The tree of names that a walk collects, and how one is built from a file.
//!
//! Its branches are in one list, each before what is below it. A branch takes 32 bytes and a leaf 24,
//! so that the tree of a million names fits into 100 MB.

mod branch;
mod build;
mod counted;
mod counts;
mod grown;
mod joined;
mod leaf;
mod merge;
mod name_tree;
mod plain;
mod sorted;

use branch::Branches;
pub use branch::{Branch, Children};
use build::BranchList;
pub use build::Builder;
pub use counts::Counts;
pub(crate) use grown::grow;
pub use leaf::Leaf;
pub use merge::Own;
pub use name_tree::NameTree;
pub use plain::Plain;
pub use sorted::{same_bytes, sort_by_text};

/// Branches nested deeper are not read from files: each view of a profile is as deep as its branches.
///
/// Names nest as types do, and the compiler stops types at 128 levels unless told otherwise.
pub const MAX_DEPTH: usize = 1024;
