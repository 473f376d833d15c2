//! The footer, the last line of a view: whether the profile is exact, and its totals.

use crate::Profile;
use crate::text::counted;
use crate::text::{Percent, Units};
use crate::text::{Style, columns};
use crate::tree::{Branch, Device, Leaf, LeafKind, Origin};
use crate::views::marks::Marks;

/// Sums over the whole tree.
#[derive(Default)]
struct Sums {
    allocations: u64,
    spare: u64,
}

impl Sums {
    fn of(root: Branch<'_>) -> Self {
        let mut sums = Self::default();
        for branch in root.subtree() {
            sums.allocations = sums.allocations.saturating_add(branch.counts().allocations);
            let spare = branch.leaves().iter().filter(|leaf| leaf.kind() == LeafKind::Spare);
            sums.spare += spare.map(Leaf::bytes).sum::<u64>();
        }
        sums
    }
}

/// Returns the parts of the footer, most important first.
pub(crate) fn footer(profile: &Profile, units: Units) -> Vec<String> {
    let sums = Sums::of(profile.root());
    let mut parts = vec![exactness(profile, units)];
    if sums.allocations > 0 {
        parts.push(counted(sums.allocations, "allocation"));
    }
    if sums.spare > 0 {
        let share = Percent { part: sums.spare, whole: profile.total_bytes() };
        parts.push(format!("{} spare ({share})", units.show(sums.spare)));
    }
    for (device, bytes) in profile.devices() {
        if device != Device::Cpu {
            parts.push(format!("{} on {device}", units.show(bytes)));
        }
    }
    let shared = profile.shared;
    if shared.externally_held_bytes > 0 {
        let most = if shared.is_upper_bound { "at most " } else { "" };
        parts.push(format!("{most}{} externally held", units.show(shared.externally_held_bytes)));
    }
    if shared.leaked_bytes > 0 {
        parts.push(format!("{} leaked in a cycle of handles", units.show(shared.leaked_bytes)));
    }
    parts
}

/// Returns the style of the footer.
pub(crate) fn style(profile: &Profile) -> Style {
    if profile.is_exact() { Style::Good } else { Style::Warning }
}

fn exactness(profile: &Profile, units: Units) -> String {
    if let Some(origin) = limited_origin(profile.origin()) {
        return format!("from {origin}, which do not record exactness");
    }
    let marks = Marks::of(profile.root());
    if marks.is_empty() {
        "exact".into()
    } else {
        format!("not exact: {}", marks.of_profile(units))
    }
}

/// Joins the parts on lines of at most `width` columns each.
pub(crate) fn wrapped(parts: &[String], width: usize) -> String {
    let mut text = String::new();
    let mut used = 0;
    for part in parts {
        let separator = match used {
            0 => "",
            _ if used + 3 + columns(part) <= width => " · ",
            _ => "\n",
        };
        used = if separator == "\n" { 0 } else { used + columns(separator) } + columns(part);
        text.push_str(separator);
        text.push_str(part);
    }
    text
}

/// Returns the name of an origin without data on roles, sharing and exactness; `None` for values.
pub(crate) fn limited_origin(origin: Origin) -> Option<&'static str> {
    match origin {
        Origin::Counters => Some("counters"),
        Origin::Folded => Some("folded stacks"),
        _ => None,
    }
}
