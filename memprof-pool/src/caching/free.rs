//! Free blocks, by the stream that may reuse them at once, and by size.

use super::order::Queue;
use super::state::{Entry, Kind};
use std::collections::{BTreeMap, BTreeSet};

/// Free blocks for each kind of segment and each stream, ordered by size, then by address.
#[derive(Debug, Default)]
pub(super) struct FreeLists {
    lists: BTreeMap<(Kind, Queue), BTreeSet<Entry>>,
}

/// The maximum number of blocks that a search examines in each stream other than the request's own.
/// The limit bounds the time of the search.
pub(super) const MAX_EXAMINED: usize = 8;

impl FreeLists {
    pub(super) fn insert(&mut self, kind: Kind, queue: Queue, entry: Entry) -> bool {
        self.lists.entry((kind, queue)).or_default().insert(entry)
    }

    pub(super) fn remove(&mut self, kind: Kind, queue: Queue, entry: Entry) -> bool {
        // An empty list stays, because the next free of the stream would create it again.
        self.lists.get_mut(&(kind, queue)).is_some_and(|list| list.remove(&entry))
    }

    /// Returns the smallest block of a stream that holds `bytes` bytes at this alignment.
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

    /// Returns blocks of other streams that hold `bytes` bytes at this alignment, the smallest
    /// first.
    ///
    /// The search examines only [`MAX_EXAMINED`] blocks of each stream.
    pub(super) fn other_streams(
        &self,
        kind: Kind,
        queue: Queue,
        bytes: u64,
        alignment: u64,
    ) -> Vec<Entry> {
        let lists = self.lists.range((kind, Queue::FIRST)..=(kind, Queue::LAST));
        let candidates = lists.filter(|((_, other), _)| *other != queue);
        let mut found: Vec<Entry> = candidates
            .flat_map(|(_, list)| from(list, bytes).take(MAX_EXAMINED))
            .filter(|entry| entry.holds(bytes, alignment))
            .copied()
            .collect();
        found.sort_unstable();
        found
    }

    /// Returns the size of the largest free block.
    pub(super) fn largest(&self) -> u64 {
        self.lists
            .values()
            .filter_map(|list| list.last())
            .map(|entry| entry.bytes)
            .max()
            .unwrap_or(0)
    }

    /// Returns every free block with its list.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Kind, Queue, Entry)> {
        let lists = self.lists.iter();
        lists.flat_map(|((kind, queue), list)| list.iter().map(|entry| (*kind, *queue, *entry)))
    }

    /// Returns the numbers of a stream's free blocks.
    pub(super) fn of(&self, queue: Queue) -> Vec<u32> {
        let lists = self.lists.iter().filter(|((_, of), _)| *of == queue);
        lists.flat_map(|(_, list)| list.iter().map(|entry| entry.block)).collect()
    }

    /// Removes the empty lists of a stream.
    pub(super) fn forget(&mut self, queue: Queue) {
        self.lists.retain(|(_, of), list| *of != queue || !list.is_empty());
    }
}

/// Returns the blocks of at least `bytes` bytes.
fn from(list: &BTreeSet<Entry>, bytes: u64) -> impl Iterator<Item = &Entry> {
    list.range(Entry { bytes, address: 0, block: 0 }..)
}

impl Entry {
    fn holds(&self, bytes: u64, alignment: u64) -> bool {
        let begin = self.address.checked_next_multiple_of(alignment);
        begin.is_some_and(|begin| begin - self.address <= self.bytes - bytes)
    }
}
