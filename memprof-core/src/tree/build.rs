//! A builder of trees, branch by branch. Each branch precedes those below it.

use crate::origin::Origin;
use crate::tree::branch_list::{BranchList, add_name};
use crate::tree::name_tree::NameTree;
use crate::tree::own::Own;

/// A builder of a tree, for example from a file. Begin a branch, add the branches below it, then
/// end it.
///
/// ```
/// use memprof_core::tree::{Builder, Leaf, LeafKind, Origin, Own, Role};
///
/// let mut builder = Builder::default();
/// builder.begin("root", &Own::default());
/// let mut own = Own::default();
/// own.add_leaf(Leaf::new(LeafKind::Data, Role::Data, 12));
/// builder.begin("name", &own);
/// builder.end();
/// builder.end();
/// assert_eq!(builder.finish(Origin::Folded).total_bytes(), 12);
/// ```
#[derive(Debug, Default)]
pub struct Builder {
    names: String,
    branches: BranchList,
}

impl Builder {
    /// Begins a branch below the innermost open one and returns its index in the list of all
    /// branches.
    ///
    /// The branches directly below a branch must be added in the order of their names.
    pub fn begin(&mut self, name: &str, own: &Own) -> u32 {
        let name = add_name(&mut self.names, name);
        self.branches.begin(name, own)
    }

    /// Ends the innermost open branch. Does nothing if none is open.
    pub fn end(&mut self) {
        self.branches.end();
    }

    /// Returns the open branches, from the root down.
    pub fn open(&self) -> &[u32] {
        &self.branches.open
    }

    /// Returns whether a sum overflowed. Such a sum is `u64::MAX`.
    pub fn overflowed(&self) -> bool {
        self.branches.overflowed
    }

    /// Returns the bytes found so far in a branch.
    ///
    /// # Panics
    /// Panics if there is no such branch.
    pub fn bytes(&self, index: u32) -> u64 {
        self.branches.branches.records[index as usize].bytes
    }

    /// Returns the name of a branch.
    ///
    /// # Panics
    /// Panics if there is no such branch.
    pub fn name(&self, index: u32) -> &str {
        self.branches.branches.name(index).of(&self.names)
    }

    /// Ends all open branches and returns the tree.
    ///
    /// # Panics
    /// Panics if no branch was begun.
    pub fn finish(mut self, origin: Origin) -> NameTree {
        assert!(!self.branches.branches.records.is_empty(), "a tree has a root");
        while !self.open().is_empty() {
            self.end();
        }
        self.names.shrink_to_fit();
        NameTree { names: self.names, branches: self.branches.finish().with_origin(origin) }
    }
}
