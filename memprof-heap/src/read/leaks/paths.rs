//! Call paths without names, and their common parts.
//!
//! Without names, the line at which a stack allocates is unknown. A line that is called on hundreds
//! of paths has hundreds of stacks, each with too few samples to be judged. But these stacks are
//! equal in their innermost frames, up to the line. So the stacks are a tree, whose root is the
//! allocator, and each branch is judged: the stacks that share their innermost frames.
//!
//! A narrow branch may be only a part of a line, and a wide one may have many lines: `Vec::push`
//! grows if one of its callers does. Only the names can tell. So the narrowest branches that grow
//! are the suspects, and the branches around them are returned too. Whoever has the names takes the
//! widest branch of one line. It may not grow: the other paths of the line free what this one adds.

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
    /// The narrowest ones. No stack is in two of them.
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

impl Paths {
    /// Adds the branches among these call sites, and returns the series of all of them.
    fn find(
        &self,
        seen: &Seen,
        sites: &[u32],
        is_found: &mut impl FnMut(&Series) -> bool,
        found: &mut Found,
    ) -> Series {
        let group = |shared_frames| Group {
            place: None,
            operation: self.operation,
            sites: sites.iter().copied().collect(),
            shared_frames,
        };
        let (Some(&first), Some(&last)) = (sites.first(), sites.last()) else {
            return Series::default();
        };
        if frames_of(first).eq(frames_of(last)) {
            let stack = group(None);
            let series = stack.series(seen);
            if is_found(&series) {
                found.narrowest.push(stack);
            }
            return series;
        }
        let shared = frames_of(first).zip(frames_of(last)).take_while(|(a, b)| a == b).count();
        let frame = |site: u32| frames_of(site).nth(shared);
        let (before, mut series) = (found.narrowest.len(), Series::default());
        for part in sites.chunk_by(|one, other| frame(*one) == frame(*other)) {
            series.add(self.find(seen, part, is_found, found));
        }
        let has_found = found.narrowest.len() > before;
        if shared > 0 && has_found {
            found.wider.push(group(Some(shared)));
        } else if shared > 0 && is_found(&series) {
            found.narrowest.push(group(Some(shared)));
        }
        series
    }
}
