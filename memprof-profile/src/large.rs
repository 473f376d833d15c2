//! Profiles of large values: estimates in limited time, and repeated profiles that visit only what
//! changed.
//!
//! ```
//! use memprof::large::{Budget, Frozen, Profiler};
//! use memprof::Profile;
//!
//! // An estimate visits a random sample.
//! let names: Vec<String> = (0..1_000_000).map(|n| format!("name {n}")).collect();
//! let estimate = Profile::estimate(&names, Budget::elements(50_000).at_most(1 << 30));
//! let total = Profile::of(&names).total_bytes();
//! assert!(estimate.total().contains(total));
//! assert!(estimate.profile().total_bytes().abs_diff(total) < total / 50);
//!
//! // A profiler remembers the bytes of frozen values.
//! let mut log = vec![Frozen::new(names)];
//! let mut profiler = Profiler::new();
//! let first = profiler.profile(&log);
//! log.push(Frozen::new(vec![String::from("new")]));
//! assert!(profiler.profile(&log).total_bytes() > first.total_bytes());
//! assert_eq!(profiler.last().walked(), 1);
//! ```
//!
//! | question | item |
//! |---|---|
//! | How long may an estimate take? | [`Budget`], passed to [`Profile::estimate`](crate::Profile::estimate) |
//! | What did it find? | [`EstimatedProfile`] |
//! | How far may it be from the truth? | [`Interval`]; [`NoUpperEnd`] if only the lower end is known |
//! | Which values do repeated profiles visit once? | those in a [`Frozen`]; their [`Identity`] distinguishes them |
//! | What makes the repeated profiles? | [`Profiler`] |
//! | What did the last profile reuse, and what was visited again, and why? | [`Reuse`], [`Obstacle`] |

pub use crate::estimate::{Budget, EstimatedProfile, Interval, NoUpperEnd};
pub use crate::profiler::Profiler;
pub use memprof_core::large::{Frozen, Identity, Obstacle, Reuse};
