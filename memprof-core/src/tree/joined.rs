//! Several finished trees below one new root.

use crate::tree::branch::{Branch, Branches, Name};
use crate::tree::branch_list::add_name;
use crate::tree::merge::{NodeSource, merge};
use crate::tree::own::Own;

/// Returns the names and branches of a tree whose root has `parts` directly below it.
///
/// Parts with the same name become one branch. The origin of the tree is the least exact origin of
/// its parts.
pub(super) fn joined<'p>(
    root: &'p str,
    parts: impl Iterator<Item = Branch<'p>>,
) -> (String, Branches) {
    let parts: Vec<Branch<'p>> = parts.collect();
    let origin = parts.iter().map(|part| part.origin()).max();
    let mut source = JoinSource { parts, names: String::new() };
    let branches = merge(&mut source, [(root, None)].into_iter());
    (source.names, branches.with_origin(origin.unwrap_or_default()))
}

struct JoinSource<'p> {
    parts: Vec<Branch<'p>>,
    names: String,
}

impl<'p> NodeSource<'p> for JoinSource<'p> {
    /// `None` is the new root, which belongs to no part.
    type Node = Option<Branch<'p>>;

    fn visit(&self, node: Self::Node, own: &mut Own, below: &mut Vec<(&'p str, Self::Node)>) {
        let Some(branch) = node else {
            below.extend(self.parts.iter().map(|part| (part.name(), Some(*part))));
            return;
        };
        branch.leaves().iter().for_each(|leaf| own.add_leaf(*leaf));
        branch.opaque().for_each(|(reason, count)| own.add_opaque(reason, count));
        own.counts += branch.counts();
        below.extend(branch.children().map(|child| (child.name(), Some(child))));
    }

    fn intern_name(&mut self, name: &'p str, _: Self::Node) -> Name {
        add_name(&mut self.names, name)
    }
}
