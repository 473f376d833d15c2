//! The branches of a tree as a flat list, the form in which files store trees.

use crate::tree::Branch;

/// A branch with its parent and depth, for a flat list.
pub(crate) struct FlatBranch<'p> {
    pub(crate) branch: Branch<'p>,
    /// The index of the branch's parent; `None` for the root.
    pub(crate) parent: Option<u32>,
    /// The number of frames in the path; 1 for the root.
    #[cfg(feature = "json")]
    pub(crate) depth: usize,
}

/// Returns every branch from `root` down, each before its children.
pub(crate) fn flat(root: Branch<'_>) -> impl Iterator<Item = FlatBranch<'_>> {
    // The ancestors of the current branch, each with the number of the first branch after its
    // subtree.
    let mut ancestors: Vec<(u32, u32)> = Vec::new();
    root.subtree().map(move |branch| {
        while ancestors.last().is_some_and(|&(_, end)| end <= branch.index()) {
            ancestors.pop();
        }
        let parent = ancestors.last().map(|&(parent, _)| parent);
        ancestors.push((branch.index(), branch.end()));
        FlatBranch {
            branch,
            parent,
            #[cfg(feature = "json")]
            depth: ancestors.len(),
        }
    })
}
