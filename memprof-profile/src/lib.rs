//! Profiles of memprof, with their statistics, advice, budgets and output formats. Use the crate
//! `memprof`, which adds the derive.
//!
//! [`Profile`] is the tree that a walk of `memprof-core` collected. This crate re-exports the
//! traits that values implement, so one dependency is enough.
//!
//! | question | item |
//! |---|---|
//! | What does a value hold? | [`Profile`], [`total_bytes`] |
//! | What are the names and leaves of a profile? | [`tree`] |
//! | How do I profile a large value in limited time, or repeatedly? | [`large`] |
//! | How do I print, compare and search a profile? | [`views`] |
//! | What is the purpose of the bytes, and what should change? | [`report`](mod@report) |
//! | How do I limit memory in a test? | [`testing`] |
//! | How does a session read other measurements? | [`source`] |
//! | How do I write an impl by hand? | [`walk`] |
//! | How do I bound a cache by its bytes? | [`weigh`] |
//! | How do I print amounts, tables and names? | [`text`] |

// Badges of features, on docs.rs.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod text;

mod profile;
pub mod tree;

pub mod views;

mod budget;
mod holders;
pub mod large;
mod statistics;

mod advice;
pub mod report;

pub mod source;

pub mod testing;

pub use memprof_core::{MemoryProfile, keywords, total_bytes};
#[doc(inline)]
pub use memprof_core::{walk, weigh};
pub use profile::Profile;
