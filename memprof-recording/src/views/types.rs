//! Live memory by the type of its values.

use crate::Recording;
use crate::document::{Estimate, LiveStacks, Place};
use memprof_profile::text::{NamedFrame, allocated_type};
use std::collections::{BTreeMap, HashMap};

/// The live memory of one type. [`Recording::live_types`] returns them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LiveType {
    /// The type that allocated the memory, with the types of its values, such as `Vec<app::Order>`;
    /// `None` for memory whose type is not in the names.
    pub name: Option<String>,
    /// Live bytes.
    pub live: Estimate,
    /// Live blocks.
    pub live_blocks: Estimate,
}

impl Place {
    /// Returns the type of what a stack allocates, such as `Vec<app::Order>`; `None` if the names
    /// do not contain it. The innermost frame comes first.
    pub fn allocated_type(stack: &[Self]) -> Option<String> {
        allocated_type(stack.iter().map(|place| NamedFrame {
            function: place.function.as_deref(),
            file: place.file.as_deref(),
            address: place.address,
        }))
    }
}

impl Recording {
    /// Returns the live memory at a given moment by the type of its values, largest first.
    ///
    /// The types come from the names of functions of std, so they need a build that has them: an
    /// optimised one with `debug = "line-tables-only"`, or any one with debug information and
    /// `-C symbol-mangling-version=v0`. Memory without a type is one entry.
    pub fn live_types(&self, moment: &LiveStacks) -> Vec<LiveType> {
        let named = self.stacks.named();
        let mut of_stacks: HashMap<u32, Option<String>> = HashMap::new();
        let mut sums: BTreeMap<Option<String>, (Estimate, Estimate)> = BTreeMap::new();
        for row in &moment.rows {
            let of_stack = of_stacks.entry(row.stack).or_insert_with(|| {
                Place::allocated_type(&self.stacks.frames_of(row.stack, &named))
            });
            let (live, blocks) = sums.entry(of_stack.clone()).or_default();
            (*live, *blocks) = (live.plus(&row.live), blocks.plus(&row.live_blocks));
        }
        let one = |(name, (live, live_blocks))| LiveType { name, live, live_blocks };
        let mut types: Vec<LiveType> = sums.into_iter().map(one).collect();
        types.sort_by(|a, b| b.live.value.total_cmp(&a.live.value));
        types
    }
}
