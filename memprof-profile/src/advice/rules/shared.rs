//! The rule `shared`: allocations that several handles share, reported as good news.

use crate::Profile;
use crate::advice::rules::of_lines;
use crate::advice::{Recommendation, Rule, Severity, Thresholds};
use crate::text::{Grouped, counted};
use crate::tree::Branch;

/// A rule that reports lines where shared allocations have at least two handles on average.
pub(super) struct Shared;

impl Rule for Shared {
    fn name(&self) -> &'static str {
        "shared"
    }

    fn check(&self, profile: &Profile, thresholds: &Thresholds) -> Vec<Recommendation> {
        of_lines(profile, thresholds, |line: Branch<'_>| {
            let counts = line.counts();
            if counts.shared_allocations == 0 || counts.handles / 2 < counts.shared_allocations {
                return None;
            }
            let allocations = counted(counts.shared_allocations, "allocation");
            let evidence = format!("{} handles share {allocations}", Grouped(counts.handles));
            Some(Recommendation::new(Severity::Good, evidence))
        })
    }
}
