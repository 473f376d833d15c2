//! Capacity that nothing uses.

use crate::advice::rules::{is_share, of_lines};
use crate::advice::{Recommendation, Rule, Severity, Thresholds, UNITS};
use crate::views::Percent;
use crate::{Branch, Kind, Profile};

/// Speaks of each line much of whose own bytes are spare.
pub(super) struct Spare;

impl Rule for Spare {
    fn name(&self) -> &'static str {
        "spare"
    }

    fn check(&self, profile: &Profile, thresholds: &Thresholds) -> Vec<Recommendation> {
        of_lines(profile, thresholds, |line: Branch<'_>| {
            let (own, spare) = (line.own_bytes(), bytes_of(line, Kind::Spare));
            if spare < thresholds.least_bytes || !is_share(spare, own, thresholds.spare_share) {
                return None;
            }
            let evidence = format!(
                "{} of {} is capacity that nothing uses ({})",
                UNITS.show(spare),
                UNITS.show(own),
                Percent { part: spare, whole: own },
            );
            let found = Recommendation::new(Severity::Warning, evidence).saving(spare);
            Some(found.action(if bytes_of(line, Kind::Nodes) > 0 {
                "collect the entries in order, which fills the nodes"
            } else {
                "call `shrink_to_fit` once it is filled, or reserve what it will hold"
            }))
        })
    }
}

fn bytes_of(line: Branch<'_>, kind: Kind) -> u64 {
    line.leaves().iter().filter(|leaf| leaf.kind() == kind).map(crate::Leaf::bytes).sum()
}
