//! The tree of names that a walk collects, and a builder of trees from files.
//!
//! The branches are in one list, and each precedes those below it. A branch takes 32 bytes and a
//! leaf 24, so the tree of a million names fits into 100 MB.

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

/// The largest depth of branches read from files. Each view of a profile nests as deep as its
/// branches.
///
/// Names nest like types, and the compiler limits types to 128 levels by default.
pub const MAX_DEPTH: usize = 1024;
