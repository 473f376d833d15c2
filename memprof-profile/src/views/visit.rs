//! Visitors, for views that users write: a profile walked branch by branch.

use crate::Profile;
use crate::tree::Branch;
use crate::tree::Path;
use crate::views::listed_leaves;

/// A visitor of the branches and leaves of a profile, in the order of the tree.
///
/// Only one method is required:
///
/// ```
/// use memprof::tree::{Path, Visitor};
/// use memprof::Profile;
///
/// /// Sums what is allocated and not used.
/// struct Spare(u64);
///
/// impl Visitor for Spare {
///     fn leaf(&mut self, path: &Path<'_>, bytes: u64) {
///         if path.name() == "[spare]" {
///             self.0 += bytes;
///         }
///     }
/// }
///
/// let mut spare = Spare(0);
/// Profile::of(&Vec::<u64>::with_capacity(100)).visit(&mut spare);
/// assert_eq!(spare.0, 800);
/// ```
pub trait Visitor {
    /// Called at the start of a branch: the root, a field, a variant, a key, or a bracketed frame.
    fn branch(&mut self, name: &str) {
        let _ = name;
    }

    /// Called for a leaf of the branch that started last. Its kind is the last frame of the path.
    ///
    /// A leaf of 0 bytes marks contents that could not be read.
    fn leaf(&mut self, path: &Path<'_>, bytes: u64);

    /// Called after everything below a branch was visited.
    fn end_branch(&mut self, name: &str) {
        let _ = name;
    }
}

/// # Visitors
impl Profile {
    /// Calls a visitor for the whole tree. The leaves of a branch come before its children.
    ///
    /// See [`Visitor`] for an example.
    pub fn visit<V: Visitor + ?Sized>(&self, visitor: &mut V) {
        visit(self.root(), &mut Path::default(), visitor);
    }
}

fn visit<'p, V: Visitor + ?Sized>(branch: Branch<'p>, path: &mut Path<'p>, visitor: &mut V) {
    path.push(branch.name());
    visitor.branch(branch.name());
    for leaf in listed_leaves(branch) {
        path.push(leaf.kind().as_str());
        visitor.leaf(path, leaf.bytes());
        path.pop();
    }
    for child in branch.children() {
        visit(child, path, visitor);
    }
    visitor.end_branch(branch.name());
    path.pop();
}
