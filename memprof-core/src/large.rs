//! Parts of large values that repeated profiles remember, and samples of values that are too large
//! to visit.
//!
//! | question | item |
//! |---|---|
//! | Which parts of a value do repeated profiles visit once? | [`Frozen`], [`Identity`] |
//! | What do they remember of those parts? | [`Remembered`], [`Reuse`] |
//! | Why was a frozen value visited again? | [`Obstacle`] |
//! | What did a walk over a random sample collect? | [`Sampled`], [`Replicate`], [`SamplePlan`], [`KnownAllocations`] |
//!
//! ```
//! use memprof_core::large::Frozen;
//! use memprof_core::total_bytes;
//!
//! let segment = Frozen::new(vec![String::from("alpha"); 50]);
//! let log = vec![segment.clone(), segment.clone()];
//! assert!(total_bytes(&log) < total_bytes(&segment) + 100);
//! ```

pub use crate::collected::Sampled;
pub use crate::frozen::{Frozen, Identity, Obstacle, Remembered, Reuse};
pub use crate::sampling::{KnownAllocations, Replicate, SamplePlan};
