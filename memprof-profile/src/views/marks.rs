//! The marks of bytes that are not exact, added up over some branches.

use crate::text::{Grouped, Units};
use crate::tree::{Branch, OpaqueReason};
use std::collections::BTreeMap;

/// The number of values that could not be read, and the number of leaves that are estimates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    opaque: BTreeMap<OpaqueReason, u64>,
    estimated_leaves: u64,
    estimated_bytes: u64,
}

impl Marks {
    /// Returns the marks of a branch and everything below it.
    pub(crate) fn of(branch: Branch<'_>) -> Self {
        let mut marks = Self::default();
        marks.add_tree(branch);
        marks
    }

    /// Adds the marks of a branch and everything below it.
    pub(crate) fn add_tree(&mut self, branch: Branch<'_>) {
        for branch in branch.subtree() {
            self.add_opaque(branch);
            self.add_estimates(branch);
        }
    }

    /// Adds the values of a branch itself that could not be read, without those below it.
    pub(crate) fn add_opaque(&mut self, branch: Branch<'_>) {
        for (reason, count) in branch.opaque() {
            let known = self.opaque.entry(reason).or_default();
            *known = known.saturating_add(count);
        }
    }

    /// Adds a branch's own leaves that are estimates.
    pub(crate) fn add_estimates(&mut self, branch: Branch<'_>) {
        branch.leaves().iter().for_each(|leaf| self.add_estimate(leaf.estimated_bytes()));
    }

    /// Adds a leaf with this number of estimated bytes.
    pub(crate) fn add_estimate(&mut self, bytes: u64) {
        self.estimated_leaves += u64::from(bytes > 0);
        self.estimated_bytes += bytes;
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.opaque.is_empty() && self.estimated_leaves == 0
    }

    /// Returns notes such as `locked`, `2 borrowed` or `estimated`, for one line of the tree.
    pub(crate) fn of_line(&self, bytes: u64, units: Units) -> Vec<String> {
        let mut words: Vec<String> = self
            .opaque
            .iter()
            .map(|(reason, &count)| match count {
                1 => reason.to_string(),
                _ => format!("{} {reason}", Grouped(count)),
            })
            .collect();
        match self.estimated_bytes {
            0 => {}
            all if all == bytes => words.push("estimated".into()),
            some => words.push(format!("{} estimated", units.show(some))),
        }
        words
    }

    /// Returns a string such as `2 locked, 1 estimated (12.0 KiB)`, for a whole profile.
    pub(crate) fn of_profile(&self, units: Units) -> String {
        let mut words: Vec<String> = self
            .opaque
            .iter()
            .map(|(reason, &count)| format!("{} {reason}", Grouped(count)))
            .collect();
        if self.estimated_leaves > 0 {
            let (leaves, bytes) =
                (Grouped(self.estimated_leaves), units.show(self.estimated_bytes));
            words.push(format!("{leaves} estimated ({bytes})"));
        }
        words.join(", ")
    }
}

/// Returns whether a branch lacks values that another walk may visit, so that its bytes and those
/// below it are only a lower end.
///
/// Contents that no walk visits, such as those of a channel, are missing from every profile of the
/// type and do not make a comparison doubtful. Where a sample of a slice was visited, the bytes are
/// an estimate and no lower end.
pub(crate) fn lacks_values(branch: Branch<'_>) -> bool {
    let is_sample = || {
        let mut leaves = branch.subtree().flat_map(Branch::leaves);
        leaves.any(|leaf| leaf.estimated_bytes() > 0)
    };
    branch.opaque().any(|(reason, _)| match reason {
        OpaqueReason::Locked | OpaqueReason::Borrowed => true,
        OpaqueReason::Stopped => !is_sample(),
        _ => false,
    })
}
