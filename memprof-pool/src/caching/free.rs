//! Free blocks, by the stream that may use them at once and by size.

use super::block::{Entry, Kind};
use super::queue::Queue;
use std::collections::{BTreeMap, BTreeSet};

/// Free blocks: of each kind of segment and stream, in the order of size and then of address.
#[derive(Debug, Default)]
pub(super) struct FreeLists {
    lists: BTreeMap<(Kind, Queue), BTreeSet<Entry>>,
}

/// Blocks of another stream that are looked at, so that a search takes no longer with more of them.
pub(super) const LOOKED_AT: usize = 8;

impl FreeLists {
    pub(super) fn insert(&mut self, kind: Kind, queue: Queue, entry: Entry) -> bool {
        self.lists.entry((kind, queue)).or_default().insert(entry)
    }

    pub(super) fn remove(&mut self, kind: Kind, queue: Queue, entry: Entry) -> bool {
        // Empty lists stay: the next free of the stream would make them anew.
        self.lists.get_mut(&(kind, queue)).is_some_and(|list| list.remove(&entry))
    }

    /// The smallest block of that stream that holds so many bytes at that alignment.
    pub(super) fn best(
        &self,
        kind: Kind,
        queue: Queue,
        bytes: u64,
        alignment: u64,
    ) -> Option<Entry> {
        let list = self.lists.get(&(kind, queue))?;
        from(list, bytes).find(|entry| entry.holds(bytes, alignment)).copied()
    }

    /// Blocks of other streams that hold so many bytes at that alignment: some of each stream, the
    /// smallest first.
    pub(super) fn of_others(
        &self,
        kind: Kind,
        queue: Queue,
        bytes: u64,
        alignment: u64,
    ) -> Vec<Entry> {
        let lists = self.lists.range((kind, Queue::FIRST)..=(kind, Queue::LAST));
        let others = lists.filter(|((_, other), _)| *other != queue);
        let mut found: Vec<Entry> = others
            .flat_map(|(_, list)| from(list, bytes).take(LOOKED_AT))
            .filter(|entry| entry.holds(bytes, alignment))
            .copied()
            .collect();
        found.sort_unstable();
        found
    }

    /// The largest free block.
    pub(super) fn largest(&self) -> u64 {
        self.lists
            .values()
            .filter_map(|list| list.last())
            .map(|entry| entry.bytes)
            .max()
            .unwrap_or(0)
    }

    /// Every free block, and the list that it is in.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Kind, Queue, Entry)> {
        let lists = self.lists.iter();
        lists.flat_map(|((kind, queue), list)| list.iter().map(|entry| (*kind, *queue, *entry)))
    }

    /// The free blocks of a stream.
    pub(super) fn of(&self, queue: Queue) -> Vec<u32> {
        let lists = self.lists.iter().filter(|((_, of), _)| *of == queue);
        lists.flat_map(|(_, list)| list.iter().map(|entry| entry.block)).collect()
    }

    /// Forgets the lists of a stream, which are empty.
    pub(super) fn forget(&mut self, queue: Queue) {
        self.lists.retain(|(_, of), list| *of != queue || !list.is_empty());
    }
}

/// The blocks from that size on.
fn from(list: &BTreeSet<Entry>, bytes: u64) -> impl Iterator<Item = &Entry> {
    list.range(Entry { bytes, address: 0, block: 0 }..)
}

impl Entry {
    fn holds(&self, bytes: u64, alignment: u64) -> bool {
        let begin = self.address.checked_next_multiple_of(alignment);
        begin.is_some_and(|begin| begin - self.address <= self.bytes - bytes)
    }
}
