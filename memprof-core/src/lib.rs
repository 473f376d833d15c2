//! The trait that values implement, the walk over values, and the tree of bytes that the walk
//! collects.
//!
//! A library implements [`MemoryProfile`] against this crate alone. Programs use the crate
//! `memprof`, which adds the derive macro and the display of profiles.
//!
//! | question | item |
//! |---|---|
//! | Which trait do types implement? | [`MemoryProfile`](trait@MemoryProfile) |
//! | How does an impl report bytes and tensors? | [`walk`] |
//! | What did a walk collect? | [`tree`] |
//! | What does a value hold, as one number? | [`total_bytes`] |
//! | How does a walk sample large values? | [`large`] |
//! | How much does a cache entry weigh? | [`weigh`] |
//! | How do I profile a type whose bytes another trait reports? | module `walk::reported` |

// Makes docs.rs mark each item with the features that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod list;
mod words;

mod memory_profile;
mod shape;

mod layout;

mod sampling;
mod sharing;
mod sort;
mod state;
mod tensor;
pub mod walk;

mod attributes;

mod impls;

pub mod tree;

mod collected;
pub mod weigh;

pub use collected::total_bytes;
pub use memory_profile::MemoryProfile;

/// Samples of values that are too large to visit.
///
/// [`Sampled`](large::Sampled) holds the tree of a walk that drew from large slices, and
/// [`Sample`](large::Sample) the estimates of each group of draws.
pub mod large {
    pub use crate::collected::{Sample, Sampled, SampledBytes};
}

pub mod layout_check;

#[doc(hidden)]
pub use words::type_frame;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
