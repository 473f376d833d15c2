//! The rule `auxiliary`: auxiliary memory that is large compared with the data.

use crate::Profile;
use crate::advice::rules::{is_share, of_lines};
use crate::advice::{Recommendation, Rule, Severity, Thresholds, UNITS};
use crate::statistics::Statistics;
use crate::text::Percent;

/// A rule that reports on the profile as a whole, and names the path with the most auxiliary bytes.
pub(super) struct Auxiliary;

impl Rule for Auxiliary {
    fn name(&self) -> &'static str {
        "auxiliary"
    }

    fn check(&self, profile: &Profile, thresholds: &Thresholds) -> Vec<Recommendation> {
        let Statistics { data, auxiliary, .. } = profile.statistics();
        if auxiliary == 0 || !is_share(auxiliary, data, thresholds.auxiliary_ratio) {
            return Vec::new();
        }
        let evidence = format!(
            "{} of auxiliary memory beside {} of data ({})",
            UNITS.show(auxiliary),
            UNITS.show(data),
            Percent { part: auxiliary, whole: data },
        );
        let found = Recommendation::new(Severity::Warning, evidence)
            .with_action("compute it on demand, or store it in a smaller type")
            .with_savings_at_most(auxiliary);
        let largest = of_lines(profile, &Thresholds { max_findings: 1, ..*thresholds }, |line| {
            let own = Statistics::right_at(line).auxiliary;
            (own > 0).then(|| Recommendation::new(Severity::Warning, "").with_savings(own))
        });
        vec![match largest.first().and_then(Recommendation::path) {
            Some(path) => found.at(path),
            None => found,
        }]
    }
}
