//! The policy for memory that several profiled values share, and the allocations that a policy
//! keeps apart.

use super::ownership::OwnershipGraph;
use super::{Context, ContextKind, Sharing};
use std::collections::HashMap;

/// The value that is charged for shared memory, when several values are profiled together.
///
/// Under each policy, the bytes add up to the same total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SharingPolicy {
    /// Shared memory counts below the first value that reaches it.
    #[default]
    FirstValue,
    /// A value is charged only for the memory that dropping this value alone would free.
    ///
    /// Other shared memory is in branches of its own: [`SEVERAL`](crate::tree::SEVERAL) if several
    /// of the values reach it, otherwise [`EXTERNAL`](crate::tree::EXTERNAL), because a handle
    /// outside the values keeps it alive. In these branches, an allocation has the path by which
    /// the walk first reached it.
    ///
    /// Memory behind a followed reference has no known owner. It counts below the first value that
    /// reaches it.
    SoleOwner,
}

/// The reason why a shared allocation does not belong to one of several values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Apart {
    /// Several of the values reach the allocation.
    Several,
    /// One value reaches the allocation, and a handle outside the values also keeps it alive.
    External,
}

/// The values that reach a context: none yet, one, or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    None,
    One(u32),
    Several,
}

impl Owner {
    fn join(self, more: Self) -> Self {
        match (self, more) {
            (Self::None, owner) | (owner, Self::None) => owner,
            (Self::One(first), Self::One(second)) if first == second => self,
            _ => Self::Several,
        }
    }
}

impl Sharing {
    /// Makes one of several values a context, so that the walk records the handles of each value
    /// separately. Returns the number of the context.
    pub(crate) fn enter_owner(&mut self) -> u32 {
        self.has_values = true;
        self.contexts.push(Context { own: 0, strong: 1, kind: ContextKind::Value });
        let context = self.contexts.len() as u32;
        self.switch(context);
        context
    }

    /// Returns the addresses of the allocations that do not belong to a single value. `owners` are
    /// the contexts of the values.
    pub(crate) fn apart(&self, owners: &[u32]) -> HashMap<usize, Apart> {
        let root_handles = self.table.root_handles(self.contexts.len());
        let handles = self.with_value_handles(&root_handles[1..]);
        let graph = OwnershipGraph::new(&self.contexts, handles, &self.edges);
        let (reached_by, externally_held) = (graph.reached_by(owners), graph.externally_held());
        let apart = |(address, context): (usize, u32)| {
            let index = context as usize - 1;
            let reason = match (reached_by[index], externally_held[index]) {
                (Owner::Several, _) => Apart::Several,
                (_, true) => Apart::External,
                (_, false) => return None,
            };
            Some((address, reason))
        };
        self.table.allocations().filter_map(apart).collect()
    }
}

impl OwnershipGraph<'_> {
    /// Returns the values that reach each context.
    ///
    /// An owner only changes from none to one and from one to several, so each context is visited
    /// at most twice.
    fn reached_by(&self, owners: &[u32]) -> Vec<Owner> {
        let mut reached_by = vec![Owner::None; self.contexts.len()];
        let mut stack: Vec<u32> = owners.iter().map(|&owner| owner - 1).collect();
        for &owner in &stack {
            reached_by[owner as usize] = Owner::One(owner);
        }
        while let Some(context) = stack.pop() {
            let from = reached_by[context as usize];
            for &target in self.targets(context as usize) {
                let known = &mut reached_by[target as usize];
                let joined = known.join(from);
                if joined != *known {
                    *known = joined;
                    stack.push(target);
                }
            }
        }
        reached_by
    }
}
