//! The call stacks of summaries, each written once.
//!
//! A summary has up to 100 stacks of 50 frames. Written with their names in each summary, they took
//! 161 of the 173 KB of a program of 40 lines, every few seconds. Here each stack gets a number at
//! its first summary. From then on, summaries refer to the number.

use memprof_profile::text::CUT_ADDRESS;
use memprof_recording::document::{Place, StackTable, Summary};
use std::collections::{BTreeMap, HashMap};

/// The first number of a stack of summaries. Smaller numbers are those of the allocator's table.
const FIRST: u32 = 1 << 16;
/// The maximum number of stacks. A summary contains the frames of all other stacks.
const MAX: usize = 4096;

/// The stacks and names of summaries that are in the timeline.
#[derive(Debug, Default)]
pub(super) struct SummaryStacks {
    numbers: HashMap<Vec<u64>, u32>,
    named: HashMap<u64, Named>,
}

/// What is known of an address: whether there is a file, and the number of its frames. More is
/// better.
type Named = (bool, usize);

impl SummaryStacks {
    /// Returns the stacks and names of a summary that the timeline lacks.
    pub(super) fn lacking(&self, summary: &Summary) -> StackTable {
        let mut table = StackTable::default();
        let mut new = HashMap::new();
        let mut frames: BTreeMap<u64, &[Place]> = BTreeMap::new();
        for stack in summary.stacks() {
            let Some(addresses) = addresses(stack) else { continue };
            if !self.numbers.contains_key(&addresses) && !new.contains_key(&addresses) {
                if self.numbers.len() + new.len() >= MAX {
                    continue;
                }
                let number = self.next_number(new.len());
                table.addresses.insert(number, addresses.clone());
                new.insert(addresses, number);
            }
            for (address, group) in groups(stack) {
                let known = frames.get(&address).map_or((false, 0), |known| quality(known));
                let known = known.max(self.named.get(&address).copied().unwrap_or_default());
                if quality(group) > known {
                    frames.insert(address, group);
                }
            }
        }
        table.frames = frames.into_values().flatten().cloned().collect();
        table
    }

    /// Notes that these stacks and names are in the timeline.
    pub(super) fn written(&mut self, table: &StackTable) {
        let stacks = table.addresses.iter();
        self.numbers.extend(stacks.map(|(&number, addresses)| (addresses.clone(), number)));
        let named = table.named().into_iter();
        self.named.extend(named.map(|(address, frames)| (address, quality(frames))));
    }

    /// Returns the summary as it is written, with numbers instead of stacks.
    pub(super) fn compact(&self, summary: &Summary) -> Summary {
        let mut compact = summary.clone();
        for (stack, number) in compact.stacks_mut() {
            *number = addresses(stack).and_then(|addresses| self.numbers.get(&addresses)).copied();
            if number.is_some() {
                stack.clear();
            }
        }
        compact
    }

    fn next_number(&self, new: usize) -> u32 {
        FIRST + u32::try_from(self.numbers.len() + new).unwrap_or(u32::MAX - FIRST)
    }
}

/// Returns the addresses of a stack. Returns `None` if the stack is empty, or if one of its frames
/// has no address and is no mark of a cut.
fn addresses(stack: &[Place]) -> Option<Vec<u64>> {
    let addresses = stack.chunk_by(|a, b| a.address == b.address && a.address.is_some());
    let address = |group: &[Place]| match group {
        [mark] if mark.is_cut() => Some(CUT_ADDRESS),
        _ => group.first()?.address,
    };
    let addresses: Option<Vec<u64>> = addresses.map(address).collect();
    addresses.filter(|addresses| !addresses.is_empty())
}

/// Returns the named frames of each address.
fn groups(stack: &[Place]) -> impl Iterator<Item = (u64, &[Place])> {
    let groups = stack.chunk_by(|a, b| a.address == b.address);
    groups.filter_map(|group| Some((group[0].address?, group)))
}

fn quality(frames: &[Place]) -> Named {
    let is_named = |place: &Place| place.function.is_some() || place.file.is_some();
    if !frames.iter().any(is_named) {
        return (false, 0);
    }
    (frames.iter().any(|frame| frame.file.is_some()), frames.len())
}
