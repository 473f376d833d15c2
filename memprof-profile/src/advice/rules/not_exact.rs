//! The rule `not exact`: the reasons why a profile is not exact.

use crate::Profile;
use crate::advice::{Recommendation, Rule, Severity, Thresholds, UNITS};
use crate::views::Marks;

/// A rule that reports contents that could not be read, and estimates.
pub(super) struct NotExact;

impl Rule for NotExact {
    fn name(&self) -> &'static str {
        "not exact"
    }

    fn check(&self, profile: &Profile, _: &Thresholds) -> Vec<Recommendation> {
        let marks = Marks::of(profile.root());
        if marks.is_empty() {
            return Vec::new();
        }
        let evidence = marks.of_profile(UNITS);
        let action = "print the tree with `detailed()` to see where";
        vec![Recommendation::new(Severity::Info, evidence).with_action(action)]
    }
}
