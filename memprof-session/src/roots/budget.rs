//! Walks with a time budget: they stop or estimate the rest when time is over, and report the
//! blocks that they reach.

use crate::heap;
use memprof_profile::large::{Budget, EstimatedProfile};
use memprof_profile::walk::Observer;
use memprof_profile::{MemoryProfile, Profile};
use std::time::{Duration, Instant};

/// The walks of one root, which share one time budget.
pub(super) struct BudgetedWalk<'b> {
    ends: Instant,
    /// The receiver of an address within each block; `None` if blocks are not needed.
    blocks: Option<&'b mut dyn ReceivesBlocks>,
}

/// A receiver of the addresses of blocks that a root owns.
pub(super) trait ReceivesBlocks {
    /// Receives an address.
    fn add(&mut self, address: usize);
}

impl<'b> BudgetedWalk<'b> {
    pub(super) fn new(budget: Duration, blocks: Option<&'b mut dyn ReceivesBlocks>) -> Self {
        Self { ends: Instant::now() + budget, blocks }
    }

    /// Profiles a value in the remaining time, or estimates its profile if it is too large.
    pub(super) fn profile<T: MemoryProfile + ?Sized>(
        &mut self,
        name: &str,
        value: &T,
    ) -> EstimatedProfile {
        let mut budget = Budget::time(self.ends.saturating_duration_since(Instant::now()));
        if let Some(limit) = heap::live_limit() {
            budget = budget.at_most(limit);
        }
        Profile::estimate_observed(name, value, budget, self)
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
            blocks.add(address);
        }
    }
}

impl core::fmt::Debug for BudgetedWalk<'_> {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.debug_struct("BudgetedWalk").field("ends", &self.ends).finish_non_exhaustive()
    }
}
