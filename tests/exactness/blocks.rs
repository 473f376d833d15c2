//! A walk reports every block that a value owns to its observer, and no other block.

use crate::allocator::Blocks;
use memprof::walk::Observer;
use memprof::{MemoryProfile, Profile};
use std::any::type_name;

/// The addresses that a walk reported.
#[derive(Default)]
pub(crate) struct Addresses(pub(crate) Vec<usize>);

impl Observer for Addresses {
    fn wants_blocks(&self) -> bool {
        true
    }

    fn block(&mut self, address: usize) {
        self.0.push(address);
    }
}

/// Returns the start of the block that an address is in.
pub(crate) fn block_at(blocks: &Blocks, address: usize) -> Option<usize> {
    let (&start, &size) = blocks.range(..=address).next_back()?;
    (address - start < size).then_some(start)
}

/// Types whose memory is not reported in every state.
///
/// A reader at its end and a view of no bytes do not give the address of their buffer. A table or
/// an arena of another crate gives its address only through an entry. The nodes at the ends of the
/// list of `lru` have no entry. A `serde_json::Number` may contain private text.
const AT_TIMES_UNREPORTED: [&str; 9] = [
    "BufReader<",
    "bytes::",
    "dashmap::",
    "hashbrown::",
    "lru::",
    "serde_json::",
    "slab::",
    "slotmap::",
    "stable_graph::",
];

/// Returns what is wrong with the reported addresses for `value`, which owns `blocks`.
pub(crate) fn complaint<T: MemoryProfile>(value: &T, blocks: &Blocks) -> Option<String> {
    let mut reported = Addresses::default();
    let observed = Profile::observed("value", value, &mut reported);
    if observed != Profile::named("value", value) {
        return Some(format!("the profile differs if the walk is observed: {observed:?}"));
    }
    let mut missed = blocks.clone();
    for address in reported.0 {
        match block_at(blocks, address) {
            Some(start) => {
                missed.remove(&start);
            }
            None => return Some(format!("{address:#x} is in none of its blocks")),
        }
    }
    let sizes: Vec<&usize> = missed.values().collect();
    let excused = AT_TIMES_UNREPORTED.iter().any(|name| type_name::<T>().contains(name));
    (!sizes.is_empty() && !excused).then(|| format!("blocks of {sizes:?} B were not reported"))
}
