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

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "estimates are floats; amounts are never negative, and the casts saturate"
)]

mod budget;
mod interval;
mod result;

pub use budget::Budget;
pub use interval::Interval;
pub use result::{EstimatedProfile, NoUpperEnd};

use crate::walk::Observer;
use crate::{MemoryProfile, Profile};
use budget::Meter;
use memprof_core::tree::Collected;
use memprof_core::type_frame;

/// # Estimates of large values
impl Profile {
    /// Estimates the profile of `root` in a limited time. The tree is named after the type.
    ///
    /// The first part of the budget is for a walk over the whole value. If it suffices, the result
    /// is exact. Otherwise the walk skips the rest of each large slice, and spends another part of
    /// the budget on everything else. The remaining budget goes to a random sample of the skipped
    /// elements. Inline bytes, capacities and elements that own nothing are exact in any case.
    ///
    /// ```
    /// use memprof::large::Budget;
    /// use memprof::Profile;
    /// use std::time::Duration;
    ///
    /// let names = vec![String::from("alpha"), String::from("beta")];
    /// let estimate = Profile::estimate(&names, Budget::time(Duration::from_secs(1)));
    /// assert!(estimate.is_exact());
    /// assert_eq!(estimate.into_profile(), Profile::of(&names));
    /// ```
    ///
    /// # Cost
    /// Takes about as long as the budget, or up to half as long again if most of the value is named
    /// entries. An impl that takes a long time for a single value exceeds the budget.
    pub fn estimate<T: MemoryProfile + ?Sized>(root: &T, budget: Budget) -> EstimatedProfile {
        Self::estimate_named(type_frame(root.type_name()), root, budget)
    }

    /// Estimates like [`estimate`](Self::estimate), under a name of your choice.
    pub fn estimate_named<T: MemoryProfile + ?Sized>(
        name: &str,
        root: &T,
        budget: Budget,
    ) -> EstimatedProfile {
        Self::estimate_observed(name, root, budget, &mut Unlimited)
    }

    /// Estimates like [`estimate_named`](Self::estimate_named), with an observer that can stop the
    /// walk before the budget is used up.
    ///
    /// The observer receives the addresses of the blocks that the walk reaches, but none from the
    /// sample.
    pub fn estimate_observed<T: MemoryProfile + ?Sized>(
        name: &str,
        root: &T,
        budget: Budget,
        observer: &mut dyn Observer,
    ) -> EstimatedProfile {
        let seed = budget.seed_or_new();
        let at_most = budget.at_most.map(|bytes| bytes.saturating_add(size_of_val(root) as u64));
        let mut meter = Meter::new(&budget, observer);
        let sampled = Collected::sampled(name, root, seed, at_most, &mut meter);
        EstimatedProfile::new(sampled, at_most, seed)
    }
}

/// An observer that never stops a walk.
struct Unlimited;

impl Observer for Unlimited {}

#[cfg(test)]
mod tests;
