//! Call paths without names, and their common parts.
//!
//! Without names, the line at which a stack allocates is unknown. A line that is called on hundreds
//! of paths has hundreds of stacks, each with too few samples to be judged. But these stacks are
//! equal in their innermost frames, up to the line. So the stacks are a tree, whose root is the
//! allocator, and each branch is judged: the stacks that share their innermost frames.
//!
//! A narrow branch may be only a part of a line, and a wide one may have many lines: `Vec::push`
//! grows if one of its callers does. This is unknown without names. So the narrowest branches that
//! grow are the suspects, and the branches around them are returned too. The reader of a recording
//! has the names, and takes the widest branch of one line. It may not grow: the other paths of the line free what this one adds.
//! The other stacks of a wide branch are a suspect of their own if they grow together.

use crate::read::leaks::{Group, Seen, Series};
use crate::record::stacks::frames_of;
use std::collections::BTreeSet;

/// The call sites of one operation.
pub(super) struct Paths {
    operation: u32,
    /// Sorted by the addresses of their stacks, from the innermost one outwards.
    sites: Vec<u32>,
}

/// The branches that were found.
#[derive(Default)]
pub(super) struct Found {
    /// The narrowest ones, each without the stacks of those within it. No stack is in two of them.
    pub(super) narrowest: Vec<Group>,
    /// The branches around them, which may not grow.
    pub(super) wider: Vec<Group>,
}

impl Paths {
    pub(super) fn new(operation: u32, mut sites: Vec<u32>) -> Self {
        sites.sort_by(|a, b| frames_of(*a).cmp(frames_of(*b)));
        Self { operation, sites }
    }

    /// Removes the call sites of branches.
    pub(super) fn remove(&mut self, branches: &[Group]) {
        let own = branches.iter().filter(|branch| branch.operation == self.operation);
        let sites: BTreeSet<u32> = own.flat_map(|branch| &branch.sites).copied().collect();
        self.sites.retain(|site| !sites.contains(site));
    }
}

impl Found {
    /// Returns the branches for whose series `is_found` returns true.
    pub(super) fn among(
        all: &[Paths],
        seen: &Seen,
        mut is_found: impl FnMut(&Series) -> bool,
    ) -> Self {
        let mut found = Self::default();
        for paths in all {
            paths.find(seen, &paths.sites, &mut is_found, &mut found);
        }
        found
    }
}

/// The call sites that are in no branch that was found.
#[derive(Default)]
struct Rest {
    sites: BTreeSet<u32>,
    series: Series,
}

impl Paths {
    /// Adds the branches among these call sites, and returns the call sites that are in none.
    fn find(
        &self,
        seen: &Seen,
        sites: &[u32],
        is_found: &mut impl FnMut(&Series) -> bool,
        found: &mut Found,
    ) -> Rest {
        let group = |sites, shared_frames| Group {
            place: None,
            operation: self.operation,
            sites,
            shared_frames,
        };
        let (Some(&first), Some(&last)) = (sites.first(), sites.last()) else {
            return Rest::default();
        };
        let all = || sites.iter().copied().collect();
        if frames_of(first).eq(frames_of(last)) {
            let stack = group(all(), None);
            let series = stack.series(seen);
            if is_found(&series) {
                found.narrowest.push(stack);
                return Rest::default();
            }
            return Rest { sites: stack.sites, series };
        }
        let shared = frames_of(first).zip(frames_of(last)).take_while(|(a, b)| a == b).count();
        let frame = |site: u32| frames_of(site).nth(shared);
        let (before, mut rest) = (found.narrowest.len(), Rest::default());
        for part in sites.chunk_by(|one, other| frame(*one) == frame(*other)) {
            let of_part = self.find(seen, part, is_found, found);
            rest.sites.extend(of_part.sites);
            rest.series.add(of_part.series);
        }
        if shared == 0 {
            return rest;
        }
        if found.narrowest.len() > before {
            found.wider.push(group(all(), Some(shared)));
        }
        if is_found(&rest.series) {
            found.narrowest.push(group(rest.sites, Some(shared)));
            return Rest::default();
        }
        rest
    }
}
