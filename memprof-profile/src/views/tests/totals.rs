//! Tests that the bytes of every view add up to the profile's total.

use crate::Profile;
use crate::tree::{Path, Visitor};
use crate::views::samples::values;
use crate::views::{TopPath, Units};

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

/// A visitor that records every call.
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
        let digits = amount.rsplit("  ").next().unwrap().replace(' ', "");
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
