//! The rule `padding`: bytes that only align other bytes.

use crate::Profile;
use crate::advice::rules::is_share;
use crate::advice::{Recommendation, Rule, Severity, Thresholds, UNITS};
use crate::statistics::Statistics;
use crate::text::Percent;

/// A rule that reports padding in the profile as a whole.
pub(super) struct Padding;

impl Rule for Padding {
    fn name(&self) -> &'static str {
        "padding"
    }

    fn check(&self, profile: &Profile, thresholds: &Thresholds) -> Vec<Recommendation> {
        let statistics = profile.statistics();
        let (Statistics { padding, .. }, total) = (statistics, statistics.total());
        let is_significant = is_share(padding, total, thresholds.padding_share);
        if padding < thresholds.min_bytes || !is_significant {
            return Vec::new();
        }
        let evidence = format!(
            "{} of {} only aligns other bytes ({})",
            UNITS.show(padding),
            UNITS.show(total),
            Percent { part: padding, whole: total },
        );
        let action = "use an array per field instead of an array of structs, or use smaller types";
        vec![
            Recommendation::new(Severity::Info, evidence)
                .with_action(action)
                .with_savings_at_most(padding),
        ]
    }
}
