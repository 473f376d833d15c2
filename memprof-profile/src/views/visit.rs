//! Views of a user's own: a profile walked branch by branch.

use crate::views::Path;
use crate::views::listed_leaves;
use crate::{Branch, Profile};

/// What sees the branches and leaves of a profile, in the order of the tree.
///
/// One method is enough:
///
/// ```
/// use memprof_profile::{Path, Profile, Visitor};
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
    /// A branch begins: the root, a field, a variant, a key, or a bracketed frame.
    fn branch(&mut self, name: &str) {
        let _ = name;
    }

    /// A leaf of the branch begun last; its kind is the last frame of the path.
    ///
    /// A leaf of 0 bytes stands where contents could not be seen.
    fn leaf(&mut self, path: &Path<'_>, bytes: u64);

    /// Everything below a branch was seen.
    fn end_branch(&mut self, name: &str) {
        let _ = name;
    }
}

impl Profile {
    /// Shows the whole tree to a visitor: of each branch first the leaves, then the branches below.
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
        path.push(leaf.kind().frame());
        visitor.leaf(path, leaf.bytes());
        path.pop();
    }
    for child in branch.children() {
        visit(child, path, visitor);
    }
    visitor.end_branch(branch.name());
    path.pop();
}
