//! The step that names the addresses of call stacks.

use crate::document::{Block, HOOK_DEPTH, Place, StackTable, Summary};
use memprof_profile::text::CUT_ADDRESS;
use std::collections::BTreeSet;

/// Names the addresses that have no names, and removes the addresses of memprof's hook from the
/// stacks.
///
/// `resolve` names the addresses of a summary. Returns its result, or `None` if each address has a
/// name.
pub(super) fn resolve<T>(
    stacks: &mut StackTable,
    wanted: Option<&BTreeSet<u64>>,
    resolve: impl FnOnce(&mut Summary) -> T,
) -> Option<T> {
    let named: BTreeSet<u64> = stacks.named().into_keys().collect();
    let all: BTreeSet<u64> = stacks.addresses.values().flatten().copied().collect();
    let is_wanted = |address: &u64| {
        *address != CUT_ADDRESS && wanted.is_none_or(|wanted| wanted.contains(address))
    };
    let unnamed: Vec<u64> = all.difference(&named).copied().filter(is_wanted).collect();
    if unnamed.is_empty() {
        return None;
    }
    // `resolve` names the blocks of a summary and joins none of them, so each address is passed as
    // a block.
    let block = |&address: &u64| {
        let place = Place { address: Some(address), ..Place::default() };
        let (operation, stack) = (Vec::new(), vec![place.clone()]);
        Block { bytes: 0, age_ns: 0, operation, place, stack, stack_number: None }
    };
    let mut summary = Summary {
        largest_blocks: unnamed.iter().map(block).collect(),
        modules: stacks.modules.clone(),
        ..Summary::default()
    };
    let result = resolve(&mut summary);
    stacks.modules = summary.modules;
    let mut hook = BTreeSet::new();
    for (address, block) in unnamed.into_iter().zip(summary.largest_blocks) {
        if block.stack.is_empty() {
            hook.insert(address);
        }
        let has_name = |frame: &Place| frame.function.is_some() || frame.file.is_some();
        stacks.frames.extend(block.stack.into_iter().filter(has_name));
    }
    for stack in stacks.addresses.values_mut() {
        let innermost = stack.len().min(HOOK_DEPTH);
        let last = stack[..innermost].iter().rposition(|address| hook.contains(address));
        stack.drain(..last.map_or(0, |last| last + 1));
    }
    Some(result)
}
