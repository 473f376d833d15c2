//! The nodes to which recursive types fold, for walks that leave values out.
//!
//! A value that folds adds its bytes to the fields of an enclosing value. So values that a walk
//! leaves out may own bytes above the node at which they are marked.

use super::{Mark, NO_NODE, WalkState};
use crate::opaque::OpaqueReason;

const UNVISITED: Mark = Mark::Opaque(OpaqueReason::Stopped);

/// For each node, the highest node to whose fields the values at and below the node fold.
pub(crate) struct Folds(Vec<u32>);

impl Folds {
    /// Returns the node that contains everything that values at `node` and below it add.
    pub(crate) fn root_of(&self, node: u32) -> u32 {
        self.0[node as usize]
    }
}

impl WalkState {
    /// Returns the nodes to which each node folds.
    pub(crate) fn folds(&self) -> Folds {
        let mut roots: Vec<u32> = (0..self.nodes.len() as u32).collect();
        self.each_fold(|node, owner| {
            let root = &mut roots[node as usize];
            *root = owner.min(*root);
        });
        // Parents precede their children, so the smaller of two nodes on a path is above the other.
        for node in (1..roots.len()).rev() {
            let parent = self.nodes[node].parent as usize;
            roots[parent] = roots[parent].min(roots[node]);
        }
        for node in 0..roots.len() {
            roots[node] = roots[roots[node] as usize];
        }
        Folds(roots)
    }

    /// Calls `receive` with each node whose values add to the fields of an enclosing value, and with
    /// the node of that value.
    fn each_fold(&self, mut receive: impl FnMut(u32, u32)) {
        for (number, node) in (0..).zip(&self.nodes) {
            let bases = [node.base, node.keys, node.shared];
            let bases = bases.into_iter().chain(self.others(number).map(|other| other.base));
            for first in bases.filter(|&first| first != NO_NODE) {
                let owner = self.nodes[first as usize].parent;
                if owner < number {
                    receive(number, owner);
                }
            }
        }
        for (&(number, _), &(owner, _)) in &self.types {
            if owner < number {
                receive(number, owner);
            }
        }
    }

    /// Moves the marks of values that were not visited to the nodes that contain everything that
    /// these values may add.
    pub(crate) fn raise_unvisited(&mut self, folds: &Folds) {
        for node in 0..self.nodes.len() as u32 {
            let root = folds.root_of(node);
            if root == node {
                continue;
            }
            let mut number = self.nodes[node as usize].marks;
            while let Some(marked) = (number as usize).checked_sub(1).map(|at| &mut self.marks[at])
            {
                if marked.mark == UNVISITED {
                    let count = core::mem::take(&mut marked.count);
                    if count != 0 {
                        self.mark(root, UNVISITED, count);
                    }
                    break;
                }
                number = marked.next;
            }
        }
    }

    /// Returns whether bytes of shared allocations may be at nodes that are not below a `[shared]`
    /// node.
    pub(crate) fn has_shared_elsewhere(&self) -> bool {
        let mut found = !self.followed.is_empty();
        self.each_fold(|mut node, owner| {
            while node != owner && !found {
                let parent = self.nodes[node as usize].parent;
                found = self.nodes[parent as usize].shared == node;
                node = parent;
            }
        });
        found
    }
}
