//! Samples of values that are too large to visit.
//!
//! What did a walk find that drew from large slices? [`Sampled`] has the tree, and [`Sample`] the
//! estimates of each group of draws.

pub use crate::collected::{Sample, Sampled, SampledBytes};
