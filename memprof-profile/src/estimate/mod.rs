//! Estimates: profiles of values that are too large to visit completely, with intervals.

#![expect(
    clippy::cast_precision_loss,
    reason = "shares of a budget and means of a sample need no more digits than a float has"
)]

mod budget;
mod interval;
mod lower_end;
mod result;
mod text;

pub use budget::Budget;
pub use interval::Interval;
pub use result::{EstimatedProfile, NoUpperEnd};

use crate::walk::Observer;
use crate::{MemoryProfile, Profile};
use budget::Meter;
use memprof_core::large::{KnownAllocations, SamplePlan};
use memprof_core::tree::Collected;
use memprof_core::type_frame;

/// The part of the budget at which the last sampled walk should end. The rest is a reserve.
const PLANNED: f64 = 0.9;

/// A sampled walk must be larger than the one before it by at least this factor to be worth its
/// time.
const MIN_GROWTH: f64 = 2.0;

/// The part of the remaining budget for a walk that visits the entries of maps and lists.
const PART_WITH_ENTRIES: f64 = 2.0 / 3.0;

/// The number of elements of a small budget for each group of its sample.
const ELEMENTS_PER_GROUP: u64 = 8;

/// # Estimates of large values
impl Profile {
    /// Estimates the profile of `root` in a limited time. The tree is named after the type.
    ///
    /// A walk over the whole value takes up to two thirds of a budget of time, and up to half of a
    /// budget of elements. If the walk completes, the result is exact. Otherwise the rest of the
    /// budget is spent on a random sample of the elements of large slices. Inline bytes, capacities
    /// and elements that own nothing are exact in any case.
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
    /// Takes the time of the budget at most, and a few milliseconds for the tree. An impl that takes
    /// long for a single value exceeds the budget. The figures of the sample take up to 16 MiB.
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
    /// walks before the budget is used up.
    ///
    /// The observer receives the addresses of the blocks that the walk over the whole value reaches,
    /// and none from the sample.
    pub fn estimate_observed<T: MemoryProfile + ?Sized>(
        name: &str,
        root: &T,
        budget: Budget,
        observer: &mut dyn Observer,
    ) -> EstimatedProfile {
        let walk = |observer: &mut dyn Observer| Self::observed(name, root, observer);
        estimate_after(walk, name, root, budget, observer)
    }
}

/// Runs `walk`, which visits the whole value. If the budget is too small for that walk, estimates
/// the profile of `root` from a sample.
pub(crate) fn estimate_after<T: MemoryProfile + ?Sized>(
    walk: impl FnOnce(&mut dyn Observer) -> Profile,
    name: &str,
    root: &T,
    budget: Budget,
    observer: &mut dyn Observer,
) -> EstimatedProfile {
    let seed = budget.seed_or_new();
    let mut meter = Meter::new(&budget, observer);
    let whole = walk(meter.begin(budget.complete_part(), true));
    if !meter.has_ended() {
        return EstimatedProfile::complete(whole, budget.upper_limit(), seed);
    }
    let mut plan = SamplePlan::new(seed);
    if let Some(elements) = budget.element_limit() {
        let groups = usize::try_from(elements / ELEMENTS_PER_GROUP).unwrap_or(usize::MAX);
        plan = plan.groups(groups.clamp(16, SamplePlan::GROUPS));
    }
    if let Some(bytes) = budget.upper_limit() {
        plan = plan.at_most(bytes.saturating_add(size_of_val(root) as u64));
    }
    let sample = |plan: SamplePlan, known: KnownAllocations, meter: &mut Meter<'_>, until: f64| {
        let began = meter.used();
        let sampled = Collected::sampled(name, root, plan, known, meter.begin(until, false));
        (sampled, meter.used() - began)
    };
    // A walk that visits the entries of a large map may use up the budget before it draws from a
    // slice. So the first sampled walk skips the entries.
    plan = plan.skip_entries(true);
    let (mut best, mut used) = sample(plan, KnownAllocations::default(), &mut meter, 1.0);
    if best.counts_twice {
        let known = core::mem::take(&mut best.known);
        plan = plan.next_seed();
        let (sampled, now_used) = sample(plan, known, &mut meter, 1.0);
        if !sampled.is_stopped {
            (best, used) = (sampled, now_used);
        }
    }
    let mut with_some_entries = None;
    if best.skipped > 0 && !best.is_stopped {
        let part = if best.drawn == 0 { 1.0 } else { PART_WITH_ENTRIES };
        let until = meter.used() + part * (1.0 - meter.used());
        let with_entries = plan.skip_entries(false).next_seed();
        let known = KnownAllocations::default();
        let (mut sampled, mut now_used) = sample(with_entries, known, &mut meter, until);
        if sampled.counts_twice && !sampled.is_stopped {
            let known = core::mem::take(&mut sampled.known);
            (sampled, now_used) = sample(with_entries.next_seed(), known, &mut meter, until);
        }
        if sampled.is_stopped {
            with_some_entries = Some(sampled);
        } else {
            (best, used, plan) = (sampled, now_used, with_entries);
        }
    }
    // The first sampled walk predicts how many elements a walk can draw in the remaining time. A
    // part of each walk's time does not depend on the sample, so the next walk predicts again.
    while !best.is_stopped && best.drawn > 0 {
        let growth = (PLANNED - meter.used()) / used;
        let fraction = best.drawn as f64 * growth / best.elements as f64;
        if !(growth >= MIN_GROWTH && fraction.is_finite()) || meter.is_stopped() {
            break;
        }
        plan = plan.fraction(fraction).next_seed();
        let known = core::mem::take(&mut best.known);
        let (sampled, now_used) = sample(plan, known, &mut meter, 1.0);
        if sampled.is_stopped || sampled.counts_twice || sampled.drawn <= best.drawn {
            break;
        }
        (best, used) = (sampled, now_used);
    }
    if !best.is_stopped && best.skipped == 0 {
        return EstimatedProfile::sampled(best, budget.upper_limit(), seed);
    }
    // Each of these walks left out something. The one that found most is the result.
    let whole = EstimatedProfile::complete(whole, budget.upper_limit(), seed);
    let sampled = with_some_entries.into_iter().chain([best]);
    let sampled =
        sampled.map(|sampled| EstimatedProfile::sampled(sampled, budget.upper_limit(), seed));
    sampled
        .fold(whole, |best, other| if other.total().low > best.total().low { other } else { best })
}

/// An observer that never stops a walk.
struct Unlimited;

impl Observer for Unlimited {}

#[cfg(test)]
mod tests;
