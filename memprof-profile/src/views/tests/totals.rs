//! Tests that the bytes of every view add up to the profile's total.

use crate::Profile;
use crate::tree::{LeafKind, OpaqueReason, Path, Visitor};
use crate::views::samples::{Sample, values};
use crate::views::{TopPath, Units};
use std::cell::RefCell;
use std::sync::Arc;

/// Adds up the lines of folded stacks as other tools do: the number after the last space.
fn folded_sum(folded: &str) -> u64 {
    folded.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap()).sum()
}

#[test]
fn the_lines_of_both_folded_forms_add_up() {
    for profile in values() {
        assert_eq!(folded_sum(&profile.to_folded()), profile.total_bytes(), "{profile}");
        assert_eq!(folded_sum(&profile.to_folded_detailed()), profile.total_bytes(), "{profile}");
    }
}

#[test]
fn the_leaves_and_the_largest_paths_add_up() {
    for profile in values() {
        let leaves: u64 = profile.leaves().map(|(_, leaf)| leaf.bytes()).sum();
        assert_eq!(leaves, profile.total_bytes(), "{profile}");
        let paths: u64 = profile.top(usize::MAX).paths().iter().map(TopPath::bytes).sum();
        assert_eq!(paths, profile.total_bytes(), "{profile}");
    }
}

#[derive(Default)]
struct Script {
    open: Vec<String>,
    leaves: Vec<(String, u64)>,
}

impl Visitor for Script {
    fn branch(&mut self, name: &str) {
        self.open.push(name.into());
    }

    fn leaf(&mut self, path: &Path<'_>, bytes: u64) {
        assert_eq!(path.frames().len(), self.open.len() + 1, "a leaf is one below its branch");
        self.leaves.push((path.to_string(), bytes));
    }

    fn end_branch(&mut self, name: &str) {
        assert_eq!(self.open.pop().as_deref(), Some(name));
    }
}

#[test]
fn a_visitor_sees_the_leaves_that_the_iterator_lists() {
    for profile in values() {
        let mut script = Script::default();
        profile.visit(&mut script);
        let leaves: Vec<_> =
            profile.leaves().map(|(path, leaf)| (path.to_string(), leaf.bytes())).collect();
        assert_eq!(script.leaves, leaves);
        assert!(script.open.is_empty(), "every branch ends");
    }
}

/// Returns the sum of the lines directly below the root, and the bytes of the root.
fn first_level(profile: &Profile) -> (u64, u64) {
    let tree = profile.tree().depth(1).units(Units::Bytes).min_share(0.0).width(1000).detailed();
    let tree = tree.to_string();
    let (rows, _footer) = tree.rsplit_once('\n').unwrap();
    let mut bytes = rows.lines().map(|row| {
        let (amount, _) = row.split_once(" B  ").unwrap();
        let digits = amount.rsplit("  ").next().unwrap().replace([' ', ',', '≥'], "");
        digits.parse::<u64>().unwrap()
    });
    let root = bytes.next().unwrap();
    (root, bytes.sum())
}

#[test]
fn the_lines_below_a_branch_of_the_tree_add_up_to_it() {
    for profile in values() {
        let (root, below) = first_level(&profile);
        assert_eq!(root, profile.total_bytes());
        assert!(below == root || below == 0, "{below} of {root}:\n{}", profile.tree().detailed());
    }
}

#[test]
fn a_lower_bound_is_marked_in_every_view() {
    let cache = Sample::data("cache", 1000).opaque(OpaqueReason::Foreign);
    let sample = Sample::new("Model").with([cache, Sample::data("units", 112)]);
    let profile = sample.profile();
    let views = [
        profile.to_string(),
        profile.top(1).to_string(),
        profile.top(0).to_string(),
        profile.to_markdown(),
        profile.report().to_string(),
        profile.report().detailed().to_markdown(),
        profile.against(&profile).to_string(),
        profile.against(&profile).to_markdown(),
        profile.diff(&Profile::named("nothing", &())).to_string(),
    ];
    for view in &views {
        let all = ["≥ 1.1 KiB", "≥ 1,000 B"].iter().any(|amount| view.contains(amount));
        assert!(all && !view.contains("≥ 112 B"), "{view}");
    }
    #[cfg(feature = "json")]
    for (json, count) in [
        (profile.to_json().unwrap().replace("\": ", "\":"), 1),
        (profile.against(&profile).to_json(), 2),
    ] {
        assert_eq!(json.matches("\"lower_bound\":true").count(), count, "{json}");
    }
    #[cfg(feature = "yaml")]
    assert!(profile.to_yaml().contains("\nlower_bound: true\n"));
    #[cfg(feature = "flamegraph")]
    assert!(profile.to_flamegraph().unwrap().contains("≥ 1.1 KiB"));
    // An estimate may be too high as well, so it is no bound.
    let estimate = Sample::data("x", 8).estimated(LeafKind::Data, 5).profile();
    assert!(!estimate.to_string().contains('≥'));
}

#[test]
fn memory_is_held_outside_by_at_most_what_has_unvisited_handles() {
    let unit = Arc::new([0_u8; 984]);
    let value = (unit.clone(), RefCell::new(vec![unit]));
    let _borrowed = value.1.borrow_mut();
    let profile = Profile::named("pair", &value);
    assert!(profile.to_string().ends_with(" · ≤ 1,000 B externally held"), "{profile}");
    let sharing = profile.sharing();
    assert!(sharing.is_upper_bound);
    let line = "≥ 40 B freed with this value, ≤ 1,000 B externally held";
    assert!(sharing.to_string().ends_with(line), "{sharing}");
}
