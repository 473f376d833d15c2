//! The rule `metadata`: small values with more metadata than data.

use crate::Profile;
use crate::advice::rules::is_share;
use crate::advice::{Recommendation, Rule, Severity, Thresholds, UNITS};
use crate::statistics::Statistics;
use crate::text::{Grouped, Percent};

/// A rule that reports a small value, or a collection whose elements are small on average.
pub(super) struct Metadata;

impl Rule for Metadata {
    fn name(&self) -> &'static str {
        "metadata"
    }

    fn check(&self, profile: &Profile, thresholds: &Thresholds) -> Vec<Recommendation> {
        let statistics = profile.statistics();
        let total = statistics.total();
        let values = profile.root().counts().values.max(1);
        let is_small = total / values <= thresholds.small_value_bytes;
        // Leave out excess capacity, because the rule `spare` reports it.
        let Statistics { metadata, spare, data, .. } = statistics;
        let metadata = metadata.saturating_sub(spare);
        if total == 0 || !is_small || !is_share(metadata, total, thresholds.metadata_share) {
            return Vec::new();
        }
        let share = Percent { part: metadata, whole: total };
        let (metadata, total) = (UNITS.show(metadata), UNITS.show(total));
        if data == 0 {
            // The data may be in contents that could not be read.
            if !profile.is_exact() {
                return Vec::new();
            }
            let evidence = format!("{metadata} of {total} is metadata ({share}), with no data");
            return vec![Recommendation::new(Severity::Info, evidence)];
        }
        let each = match values {
            1 => "the value is small".into(),
            _ => format!("{} values are small", Grouped(values)),
        };
        let evidence = format!("{each}: {metadata} of {total} is metadata ({share})");
        let action = "batch them: store the data of many in one array, and the metadata once";
        vec![Recommendation::new(Severity::Warning, evidence).with_action(action)]
    }
}
