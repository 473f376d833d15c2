//! The rule `share equal`: equal values that could share one allocation.

use crate::Profile;
use crate::advice::rules::of_lines;
use crate::advice::{Recommendation, Rule, Severity, Thresholds, UNITS};
use crate::text::counted;
use crate::tree::Branch;

/// A rule that reports equal values of types marked `#[profile(shareable)]`.
pub(super) struct ShareEqual;

impl Rule for ShareEqual {
    fn name(&self) -> &'static str {
        "share equal"
    }

    fn check(&self, profile: &Profile, thresholds: &Thresholds) -> Vec<Recommendation> {
        of_lines(profile, thresholds, |line: Branch<'_>| {
            let counts = line.counts();
            if counts.duplicates == 0 {
                return None;
            }
            let verb = if counts.duplicates == 1 { "equals" } else { "equal" };
            let evidence = format!(
                "{} ({}) {verb} another and could share it",
                counted(counts.duplicates, "value"),
                UNITS.show(counts.duplicate_bytes),
            );
            let found = Recommendation::new(Severity::Warning, evidence);
            let action = "store each distinct value in an `Arc` once, and clone that handle";
            Some(found.with_action(action).with_savings_at_most(counts.duplicate_bytes))
        })
    }
}
