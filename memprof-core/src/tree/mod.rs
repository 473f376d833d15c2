//! The tree of names that a walk collects, the attributes of its leaves, and a builder of trees
//! from files.
//!
//! | question | item |
//! |---|---|
//! | What did a walk collect? | [`Collected`], [`NameTree`] |
//! | What is a name with bytes below it? | [`Branch`], [`BranchId`], [`Children`], [`Counts`] |
//! | What are bytes of one kind? | [`Leaf`], [`LeafKind`] |
//! | What are the bytes for, and which memory are they in? | [`Role`], [`Device`], [`Origin`] |
//! | How many tensors did a walk meet, and which are the largest? | [`Tensors`], [`TensorRecord`] |
//! | Why were contents not read? | [`OpaqueReason`] |
//! | Which names do not come from a field? | [`KEYS`], [`SHARED`], [`OTHER`] |
//! | How is a tree made from a file? | [`Builder`], [`Plain`], [`Own`] |
//!
//! The branches are in one list, and each precedes those below it. A branch takes 32 bytes and a
//! leaf 24, so the tree of a million names fits into 100 MB.

mod branch;
mod build;
mod name_tree;

pub use crate::collected::Collected;
pub use crate::sort::{same_bytes, sort_by, sort_by_text};
pub use crate::tensor::{TensorRecord, Tensors};
pub use crate::words::Device;
pub use crate::words::KeywordError;
pub use crate::words::OpaqueReason;
pub use crate::words::Origin;
pub use crate::words::Role;
pub use crate::words::{Frame, KEYS, LeafKind, OTHER, SHARED, is_hostile, write_escaped};
pub(crate) use branch::Name;
pub use branch::{Branch, BranchId, Children, Counts, Leaf, MAX_DEPTH};
pub use build::{Builder, Own};
pub(crate) use build::{NodeSource, add_name, merge};
pub use name_tree::{NameTree, Plain};
