//! One of the two profiles of a comparison, in its plain form, with the paths of its branches.

use crate::Profile;
use crate::text::Units;
use crate::tree::Branch;
use crate::tree::Path;
use crate::views::diff::entry::Figure;
use crate::views::limited_origin;
use crate::views::marks::{Marks, lacks_values};
use memprof_core::tree::Plain;
use std::sync::OnceLock;

#[derive(Debug)]
pub(crate) struct Side<'p> {
    profile: &'p Profile,
    plain: Plain<'p>,
    /// The parent of each branch, computed when the first path is needed.
    parents: OnceLock<Vec<u32>>,
}

impl<'p> Side<'p> {
    pub(super) fn of(profile: &'p Profile) -> Self {
        Self { profile, plain: profile.plain(), parents: OnceLock::new() }
    }

    pub(super) fn root(&self) -> Branch<'_> {
        self.plain.root()
    }

    pub(super) fn name(&self) -> &'p str {
        self.profile.root().name()
    }

    pub(super) fn total_bytes(&self) -> u64 {
        self.profile.total_bytes()
    }

    /// Returns the total, and whether it is only a lower end.
    pub(super) fn total(&self) -> Figure {
        Figure {
            bytes: Some(self.total_bytes()),
            is_lower_end: self.root().subtree().any(lacks_values),
        }
    }

    pub(super) fn own_bytes(&self, index: u32) -> u64 {
        self.plain.at(index).own_bytes()
    }

    pub(super) fn is_exact(&self) -> bool {
        self.profile.is_exact()
    }

    /// Returns the reason why the profile is not exact, or `None` if it is exact.
    pub(super) fn warnings(&self, units: Units) -> Option<String> {
        if let Some(origin) = limited_origin(self.profile.origin()) {
            return Some(format!("{origin} do not record exactness"));
        }
        let marks = Marks::of(self.profile.root());
        (!marks.is_empty()).then(|| marks.of_profile(units))
    }

    /// Returns the path of a branch, with `root` as the name of the root.
    pub(super) fn path(&self, index: u32, root: &'p str) -> Path<'p> {
        let parents = self.parents.get_or_init(|| parents(self.root()));
        let mut frames = Vec::new();
        let mut index = index;
        while index > 0 {
            frames.push(self.plain.name(self.plain.at(index)));
            index = parents[index as usize];
        }
        frames.push(root);
        frames.reverse();
        Path::of(frames)
    }
}

fn parents(root: Branch<'_>) -> Vec<u32> {
    let mut ancestors: Vec<Branch<'_>> = Vec::new();
    let parents = root.subtree().map(|branch| {
        while ancestors.last().is_some_and(|ancestor| ancestor.end() <= branch.index()) {
            ancestors.pop();
        }
        let parent = ancestors.last().map_or(0, |ancestor| ancestor.index());
        ancestors.push(branch);
        parent
    });
    parents.collect()
}
