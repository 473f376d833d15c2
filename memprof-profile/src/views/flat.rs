//! The branches of a tree as a flat list, which is how files hold them.

use crate::Branch;

/// A branch with what a flat list says of its place.
pub(crate) struct Placed<'p> {
    pub(crate) branch: Branch<'p>,
    /// The number of the branch that this is right below; the root has none.
    pub(crate) parent: Option<u32>,
    /// The root's is 1.
    #[cfg(feature = "json")]
    pub(crate) depth: usize,
}

/// Every branch from `root` down, each before what is below it.
pub(crate) fn flat(root: Branch<'_>) -> impl Iterator<Item = Placed<'_>> {
    // The branches on the way to the one at hand, each with the number of the first past it.
    let mut above: Vec<(u32, u32)> = Vec::new();
    root.subtree().map(move |branch| {
        while above.last().is_some_and(|&(_, end)| end <= branch.index()) {
            above.pop();
        }
        let parent = above.last().map(|&(parent, _)| parent);
        above.push((branch.index(), branch.end()));
        Placed {
            branch,
            parent,
            #[cfg(feature = "json")]
            depth: above.len(),
        }
    })
}
