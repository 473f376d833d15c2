//! Estimates of large values in limited time.
//!
//! ```
//! use memprof::large::Budget;
//! use memprof::Profile;
//!
//! // An estimate visits a random sample.
//! let names: Vec<String> = (0..1_000_000).map(|n| format!("name {n}")).collect();
//! let estimate = Profile::estimate(&names, Budget::elements(50_000).at_most(1 << 30));
//! let total = Profile::of(&names).total_bytes();
//! assert!(estimate.total().contains(total));
//! assert!(estimate.profile().total_bytes().abs_diff(total) < total / 50);
//! ```
//!
//! | question | item |
//! |---|---|
//! | How long may an estimate take? | [`Budget`], passed to [`Profile::estimate`](crate::Profile::estimate) |
//! | What did it find? | [`EstimatedProfile`] |
//! | How far may it be from the truth? | [`Interval`]; [`NoUpperEnd`] if only the lower end is known |

pub use crate::estimate::{Budget, EstimatedProfile, Interval, NoUpperEnd};
