//! The rule `externally held`: memory that stays allocated when the value is dropped.

use crate::Profile;
use crate::advice::{Recommendation, Rule, Severity, Thresholds, UNITS};

/// A rule that reports shared allocations with handles that the walk did not visit.
pub(super) struct ExternallyHeld;

impl Rule for ExternallyHeld {
    fn name(&self) -> &'static str {
        "externally held"
    }

    fn check(&self, profile: &Profile, thresholds: &Thresholds) -> Vec<Recommendation> {
        let sharing = profile.sharing();
        if sharing.externally_held_bytes < thresholds.min_bytes {
            return Vec::new();
        }
        let (held, freed) = (sharing.externally_held_bytes, sharing.retained_bytes);
        let evidence = format!(
            "{} is externally held: dropping the value frees {}",
            UNITS.show(held),
            UNITS.show(freed)
        );
        vec![Recommendation::new(Severity::Info, evidence)]
    }
}
