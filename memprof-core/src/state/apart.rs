//! The branches of shared allocations that do not belong to a single value, when several values are
//! profiled.

use crate::frame::{EXTERNAL, SEVERAL};
use crate::position::Position;
use crate::shape::Field;
use crate::sharing::Apart;
use crate::state::{NO_NODE, WalkState};
use std::collections::HashMap;

static SEVERAL_FIELD: Field = Field::frame(SEVERAL);
static EXTERNAL_FIELD: Field = Field::frame(EXTERNAL);

/// The shared allocations that a walk keeps apart, and the branches that it made for them.
#[derive(Debug)]
pub(crate) struct ApartBranches {
    allocations: HashMap<usize, Apart>,
    /// The nodes of the branches.
    several: u32,
    external: u32,
    /// The copies of nodes below the branches, by the branch and the original node.
    copies: HashMap<(u32, u32), u32>,
}

impl ApartBranches {
    pub(crate) fn new(allocations: HashMap<usize, Apart>) -> Self {
        Self { allocations, several: NO_NODE, external: NO_NODE, copies: HashMap::new() }
    }
}

impl WalkState {
    /// Returns the position at which the allocation of a handle counts. This is the handle's own
    /// position. If the policy moves the allocation to a branch of its own, it is the position's
    /// copy below that branch.
    #[inline]
    pub(crate) fn position_by_policy(&mut self, at: Position, address: usize) -> Position {
        match &self.apart {
            Some(apart) => match apart.allocations.get(&address) {
                Some(&reason) => self.position_apart(at, reason),
                None => at,
            },
            None => at,
        }
    }

    #[cold]
    fn position_apart(&mut self, at: Position, reason: Apart) -> Position {
        let node = self.number(at);
        let Some(mut apart) = self.apart.take() else { return at };
        let copy = match reason {
            Apart::Several => {
                let branch = self.branch_apart(&mut apart.several, &SEVERAL_FIELD);
                self.copy_path(&mut apart, node, branch)
            }
            // Memory below the branch of several values stays there.
            Apart::External if self.is_below(node, apart.several) => node,
            Apart::External => {
                let branch = self.branch_apart(&mut apart.external, &EXTERNAL_FIELD);
                self.copy_path(&mut apart, node, branch)
            }
        };
        self.apart = Some(apart);
        Position { node: copy, depth: at.depth }
    }

    fn branch_apart(&mut self, branch: &mut u32, field: &'static Field) -> u32 {
        if *branch == NO_NODE {
            *branch = self.add(field, NO_NODE);
        }
        *branch
    }

    /// Returns whether a node is the node `above`, or below that node.
    fn is_below(&self, mut node: u32, above: u32) -> bool {
        while node != above && node != NO_NODE {
            node = self.nodes[node as usize].parent;
        }
        above != NO_NODE && node == above
    }

    /// Returns the copy of a node below a branch. The copies have the names and the attributes of
    /// the fields on the path, so roles still apply.
    fn copy_path(&mut self, apart: &mut ApartBranches, node: u32, branch: u32) -> u32 {
        let mut path = Vec::new();
        let mut original = node;
        let mut copy = loop {
            if [NO_NODE, apart.several, apart.external].contains(&original) {
                break branch;
            }
            if self.is_below(original, branch) {
                // The handle is in the branch already.
                break original;
            }
            if let Some(&copy) = apart.copies.get(&(branch, original)) {
                break copy;
            }
            path.push(original);
            original = self.nodes[original as usize].parent;
        };
        for original in path.into_iter().rev() {
            let here = &self.nodes[original as usize];
            let field = here.field;
            copy = if here.is_entry() {
                let name = self.name_of(here).to_owned();
                let at = Position::node(copy);
                self.find_entry(at, &name).unwrap_or_else(|| self.add_entry(at, &name))
            } else {
                self.add(field, copy)
            };
            apart.copies.insert((branch, original), copy);
        }
        copy
    }
}
