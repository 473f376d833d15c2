//! The trait that values implement, the walk over values, and the tree of bytes that the walk
//! collects.
//!
//! A library implements [`MemoryProfile`] against this crate alone. Programs use the crate
//! `memprof`, which adds the derive macro and the display of profiles.
//!
//! | question | item |
//! |---|---|
//! | Which trait do types implement? | [`MemoryProfile`](trait@MemoryProfile) |
//! | How does an impl add bytes, and report tensors? | [`walk`] |
//! | What did a walk collect? | [`tree`] |
//! | What does a value hold, as one number? | [`total_bytes`] |
//! | How are large values sampled? | [`large`] |
//! | What does an entry of a cache weigh? | [`weigh`] |
//! | How is a type profiled whose bytes another trait reports? | module `walk::reported` |

// Makes docs.rs mark each item with the features that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod keyword;

mod device;
mod frame;
mod memory_profile;
mod opaque;
mod origin;
mod role;
mod shape;

mod layout;

mod observer;
mod position;
mod sampling;
mod sharing;
mod sort;
mod state;
mod tally;
mod tensor;
pub mod walk;
mod watch;

mod each;
mod follow;
mod keyed;

mod impls;

pub mod tree;

mod collected;
pub mod large;
pub mod weigh;

pub use collected::total_bytes;
pub use layout::check as layout_check;
pub use memory_profile::MemoryProfile;

#[doc(hidden)]
pub use frame::type_frame;

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
