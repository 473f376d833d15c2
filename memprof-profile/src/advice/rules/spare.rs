//! The rule `spare`: excess capacity, which is allocated and not used.

use crate::Profile;
use crate::advice::rules::{is_share, of_lines};
use crate::advice::{Recommendation, Rule, Severity, Thresholds, UNITS};
use crate::text::Percent;
use crate::tree::{Branch, Leaf, LeafKind};

/// A rule that reports excess capacity. It compares the bytes that an action would free with all
/// bytes of the allocations that the action would shrink.
pub(super) struct Spare;

impl Rule for Spare {
    fn name(&self) -> &'static str {
        "spare"
    }

    fn check(&self, profile: &Profile, thresholds: &Thresholds) -> Vec<Recommendation> {
        of_lines(profile, thresholds, |line| {
            let freed = [to_shrink(line, thresholds), to_collect(line, thresholds)];
            let found: Vec<Recommendation> = freed.into_iter().flatten().collect();
            if found.is_empty() { fixed(line, thresholds).into_iter().collect() } else { found }
        })
    }
}

fn to_shrink(line: Branch<'_>, thresholds: &Thresholds) -> Option<Recommendation> {
    let counts = line.counts();
    let (freed, whole) = (counts.shrinkable_bytes, counts.buffer_bytes);
    let evidence = "is unused capacity";
    let action = "call `shrink_to_fit` after filling it, or reserve only the capacity it needs";
    warning(line, freed, whole, evidence, thresholds).map(|found| found.with_action(action))
}

fn to_collect(line: Branch<'_>, thresholds: &Thresholds) -> Option<Recommendation> {
    let counts = line.counts();
    let (freed, whole) = (counts.compactable_bytes, counts.buffer_bytes);
    let evidence = "is free space in nodes that are not full";
    let action = "collect the entries in order, which fills the nodes";
    warning(line, freed, whole, evidence, thresholds).map(|found| found.with_action(action))
}

fn warning(
    line: Branch<'_>,
    freed: u64,
    whole: u64,
    evidence: &str,
    thresholds: &Thresholds,
) -> Option<Recommendation> {
    let found = found(Severity::Warning, freed, whole, evidence, thresholds)?;
    // A finding about estimated capacity states no savings, because savings must be exact.
    let is_estimated = spare_leaves(line).any(|leaf| leaf.estimated_bytes() > 0);
    Some(if is_estimated { found } else { found.with_savings(freed) })
}

/// Reports excess capacity that no known action frees. Examples are buffers of readers, shared
/// buffers, and profiles from files that do not record what an action frees.
///
/// The elements of a buffer may be below the line of the tree, so the excess is compared with the
/// line's total.
fn fixed(line: Branch<'_>, thresholds: &Thresholds) -> Option<Recommendation> {
    let spare = spare_leaves(line).map(Leaf::bytes).fold(0, u64::saturating_add);
    let unknown = spare.saturating_sub(line.counts().buffer_bytes);
    let evidence = "is unused capacity";
    found(Severity::Info, unknown, line.total_bytes(), evidence, thresholds)
}

fn found(
    severity: Severity,
    part: u64,
    whole: u64,
    evidence: &str,
    thresholds: &Thresholds,
) -> Option<Recommendation> {
    if part < thresholds.min_bytes || !is_share(part, whole, thresholds.spare_share) {
        return None;
    }
    let (shown, of, share) = (UNITS.show(part), UNITS.show(whole), Percent { part, whole });
    Some(Recommendation::new(severity, format!("{shown} of {of} {evidence} ({share})")))
}

fn spare_leaves(line: Branch<'_>) -> impl Iterator<Item = &Leaf> {
    line.leaves().iter().filter(|leaf| leaf.kind() == LeafKind::Spare)
}
