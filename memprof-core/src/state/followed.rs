//! The targets of followed references.
//!
//! A reference does not own its target, so a walk cannot know whether the root owns the target too
//! and counts it twice. In safe code it can: behind a handle to shared memory, as one of several
//! values that are profiled together, as the root itself, or as a part of another target. In each of
//! these cases the targets are marked. Finding out more would need the ranges of all blocks.

use crate::opaque::OpaqueReason;
use crate::sort::sort_by;
use crate::state::{Mark, WalkState};
use core::ops::Range;
use std::collections::HashMap;

/// The targets of followed references, and the roots.
#[derive(Debug, Default)]
pub(crate) struct Followed {
    /// The node of each target, by address and size.
    targets: HashMap<(usize, usize), u32>,
    roots: Vec<Range<usize>>,
}

impl Followed {
    /// Adds a target. Returns `false` if it is known.
    pub(crate) fn insert(&mut self, address: usize, size: usize, node: u32) -> bool {
        let is_new = !self.targets.contains_key(&(address, size));
        if is_new {
            self.targets.insert((address, size), node);
        }
        is_new
    }

    /// Records the addresses of a root.
    pub(crate) fn add_root(&mut self, address: usize, size: usize) {
        self.roots.push(address..address.saturating_add(size));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Returns the nodes of the targets that overlap another target or a root.
    fn overlapping(&self) -> Vec<u32> {
        let targets = self
            .targets
            .iter()
            .map(|(&(address, size), &node)| (address..address.saturating_add(size), Some(node)));
        let roots = self.roots.iter().map(|root| (root.clone(), None));
        let mut ranges: Vec<_> = targets.chain(roots).filter(|range| !range.0.is_empty()).collect();
        sort_by(&mut ranges, |(a, _), (b, _)| (a.start, a.end).cmp(&(b.start, b.end)));
        let mut overlapping = Vec::new();
        let (mut end, mut last) = (0, None);
        for (range, node) in ranges {
            if range.start < end {
                overlapping.extend(last.into_iter().chain(node));
            }
            if range.end > end {
                (end, last) = (range.end, node);
            }
        }
        overlapping
    }
}

impl WalkState {
    /// Marks the targets of followed references that the root may own too.
    pub(crate) fn mark_followed(&mut self) {
        if self.followed.is_empty() {
            return;
        }
        let may_own = self.followed.roots.len() > 1 || self.sharing.has_handles_of_root();
        let nodes: Vec<u32> = if may_own {
            self.followed.targets.values().copied().collect()
        } else {
            self.followed.overlapping()
        };
        for node in nodes {
            self.mark(node, Mark::Opaque(OpaqueReason::Followed), 1);
        }
    }
}
