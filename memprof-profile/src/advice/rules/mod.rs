//! The rules that come with memprof, in the order in which they run.

mod auxiliary;
mod externally_held;
mod metadata;
mod not_exact;
mod padding;
mod share_equal;
mod shared;
mod spare;

use crate::Profile;
use crate::advice::{Recommendation, Rule, Thresholds};
use crate::tree::Branch;
use crate::tree::Path;
use core::cmp::Reverse;

/// Returns all rules.
pub(super) fn all<'r>() -> Vec<Box<dyn Rule + 'r>> {
    vec![
        Box::new(share_equal::ShareEqual),
        Box::new(shared::Shared),
        Box::new(auxiliary::Auxiliary),
        Box::new(metadata::Metadata),
        Box::new(spare::Spare),
        Box::new(padding::Padding),
        Box::new(externally_held::ExternallyHeld),
        Box::new(not_exact::NotExact),
    ]
}

/// Applies `find` to each line of the tree without bracketed frames. Returns at most
/// `max_findings` findings: the most severe first, and among equally severe ones those with the
/// largest savings.
fn of_lines<F: IntoIterator<Item = Recommendation>>(
    profile: &Profile,
    thresholds: &Thresholds,
    find: impl Fn(Branch<'_>) -> F,
) -> Vec<Recommendation> {
    let plain = profile.plain();
    let mut found = Vec::new();
    add_lines(plain.root(), &mut Path::default(), &find, &mut found);
    found.sort_by_key(|found| Reverse((found.severity(), found.savings())));
    found.truncate(thresholds.max_findings);
    found
}

fn add_lines<'p, F: IntoIterator<Item = Recommendation>>(
    line: Branch<'p>,
    path: &mut Path<'p>,
    find: &impl Fn(Branch<'_>) -> F,
    found: &mut Vec<Recommendation>,
) {
    path.push(line.name());
    found.extend(find(line).into_iter().map(|found| found.at(path.to_string())));
    for child in line.children() {
        add_lines(child, path, find, found);
    }
    path.pop();
}

/// Returns whether `part` is at least `share` of `whole`.
#[expect(clippy::cast_precision_loss, reason = "a threshold need not be exact")]
fn is_share(part: u64, whole: u64, share: f64) -> bool {
    whole > 0 && part as f64 >= whole as f64 * share
}
