//! Walks that stop when their time is over, and report the blocks that they reach.

use memprof_profile::walk::Observer;
use memprof_profile::{MemoryProfile, Profile};
use std::time::{Duration, Instant};

/// Walks of one root that together take no longer than a budget.
pub(super) struct BudgetedWalk<'b> {
    ends: Instant,
    /// A function that receives an address within each block; `None` if blocks are not needed.
    blocks: Option<&'b mut dyn FnMut(usize)>,
}

impl<'b> BudgetedWalk<'b> {
    pub(super) fn new(budget: Duration, blocks: Option<&'b mut dyn FnMut(usize)>) -> Self {
        Self { ends: Instant::now() + budget, blocks }
    }

    pub(super) fn profile<T: MemoryProfile + ?Sized>(&mut self, name: &str, value: &T) -> Profile {
        Profile::observed(name, value, self)
    }
}

impl Observer for BudgetedWalk<'_> {
    fn stops(&mut self) -> bool {
        Instant::now() >= self.ends
    }

    fn wants_blocks(&self) -> bool {
        self.blocks.is_some()
    }

    fn block(&mut self, address: usize) {
        if let Some(blocks) = &mut self.blocks {
            blocks(address);
        }
    }
}

impl core::fmt::Debug for BudgetedWalk<'_> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("BudgetedWalk").field("ends", &self.ends).finish_non_exhaustive()
    }
}
