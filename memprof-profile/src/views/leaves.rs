//! The leaves of a profile one by one; none is merged or hidden.

use crate::Profile;
use crate::tree::Path;
use crate::tree::{Leaf, LeafKind, OpaqueReason, Role};
use memprof_core::tree::{Branch, Children};
use std::vec;

/// # Leaves
impl Profile {
    /// Returns every leaf with its path. The last frame of the path is the leaf's kind.
    ///
    /// The leaves add up to [`total_bytes`](Self::total_bytes). A leaf of 0 bytes marks contents
    /// that could not be read.
    ///
    /// ```
    /// use memprof::tree::LeafKind;
    /// use memprof::Profile;
    ///
    /// let profile = Profile::named("numbers", &Vec::<u64>::with_capacity(100));
    /// let spare = profile.leaves().find(|(_, leaf)| leaf.kind() == LeafKind::Spare);
    /// assert_eq!(spare.unwrap().1.bytes(), 800);
    /// ```
    pub fn leaves(&self) -> Leaves<'_> {
        let mut path = Path::default();
        path.push(self.root().name());
        Leaves { path, open: vec![Open::new(self.root())] }
    }
}

/// The leaves of a profile with their paths, returned by [`Profile::leaves`].
#[derive(Clone, Debug)]
#[must_use]
pub struct Leaves<'p> {
    path: Path<'p>,
    /// The open branches from the root to the next leaf.
    open: Vec<Open<'p>>,
}

#[derive(Clone, Debug)]
struct Open<'p> {
    leaves: vec::IntoIter<Leaf>,
    children: Children<'p>,
}

impl<'p> Open<'p> {
    fn new(branch: Branch<'p>) -> Self {
        Self { leaves: listed_leaves(branch).into_iter(), children: branch.children() }
    }
}

impl<'p> Iterator for Leaves<'p> {
    type Item = (Path<'p>, Leaf);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let open = self.open.last_mut()?;
            if let Some(leaf) = open.leaves.next() {
                return Some((self.path.with(leaf.kind().as_str()), leaf));
            }
            if let Some(child) = open.children.next() {
                self.path.push(child.name());
                self.open.push(Open::new(child));
            } else {
                self.path.pop();
                self.open.pop();
            }
        }
    }
}

/// Returns a branch's own leaves that have bytes or mark contents that could not be read.
pub(crate) fn listed_leaves(branch: Branch<'_>) -> Vec<Leaf> {
    let shown = |leaf: &Leaf| leaf.bytes() > 0 || leaf.is_mark();
    let mut leaves: Vec<Leaf> = branch.leaves().iter().copied().filter(shown).collect();
    for (reason, _) in branch.opaque() {
        let kind =
            if reason == OpaqueReason::Skipped { LeafKind::Skipped } else { LeafKind::Opaque };
        let index = leaves.partition_point(|leaf| leaf.kind() < kind);
        if leaves.get(index).is_none_or(|leaf| leaf.kind() != kind) {
            leaves.insert(index, Leaf::new(kind, Role::default(), 0));
        }
    }
    leaves
}
