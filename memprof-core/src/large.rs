//! Samples of values that are too large to visit.
//!
//! What did a walk over a random sample collect? [`Sampled`] has the tree, and [`Replicate`] the
//! figures of each group of draws. [`SamplePlan`] has the settings.

pub use crate::collected::Sampled;
pub use crate::sampling::{KnownAllocations, Replicate, SamplePlan};
