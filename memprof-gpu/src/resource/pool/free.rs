//! Free blocks, by the stream that may use them at once and by size.

use super::block::Kind;
use crate::resource::Stream;
use std::collections::{BTreeMap, BTreeSet};

/// Free blocks: of each kind of segment and stream, in the order of size and then of address.
#[derive(Debug, Default)]
pub(super) struct FreeLists {
    lists: BTreeMap<(Kind, Stream), BTreeSet<Entry>>,
}

/// Blocks of another stream that are looked at, so that a search takes no longer with more of them.
const LOOKED_AT: usize = 8;

/// A free block as its list orders it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) bytes: u64,
    pub(super) address: u64,
    pub(super) block: u32,
}

impl FreeLists {
    pub(super) fn insert(&mut self, kind: Kind, stream: Stream, entry: Entry) -> bool {
        self.lists.entry((kind, stream)).or_default().insert(entry)
    }

    pub(super) fn remove(&mut self, kind: Kind, stream: Stream, entry: Entry) -> bool {
        // Empty lists stay: the next free of the stream would make them anew.
        self.lists.get_mut(&(kind, stream)).is_some_and(|list| list.remove(&entry))
    }

    /// The smallest block of that stream that holds so many bytes at that alignment.
    pub(super) fn best(
        &self,
        kind: Kind,
        stream: Stream,
        bytes: u64,
        alignment: u64,
    ) -> Option<Entry> {
        let list = self.lists.get(&(kind, stream))?;
        from(list, bytes).find(|entry| entry.holds(bytes, alignment)).copied()
    }

    /// Blocks of other streams that hold so many bytes at that alignment: some of each stream, the
    /// smallest first.
    pub(super) fn of_others(
        &self,
        kind: Kind,
        stream: Stream,
        bytes: u64,
        alignment: u64,
    ) -> Vec<Entry> {
        let lists = self.lists.range((kind, Stream(0))..=(kind, Stream(u64::MAX)));
        let others = lists.filter(|((_, other), _)| *other != stream);
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
    pub(super) fn iter(&self) -> impl Iterator<Item = (Kind, Stream, Entry)> {
        let lists = self.lists.iter();
        lists.flat_map(|((kind, stream), list)| list.iter().map(|entry| (*kind, *stream, *entry)))
    }

    /// The free blocks of a stream.
    pub(super) fn of(&self, stream: Stream) -> Vec<u32> {
        let lists = self.lists.iter().filter(|((_, of), _)| *of == stream);
        lists.flat_map(|(_, list)| list.iter().map(|entry| entry.block)).collect()
    }

    /// Forgets the lists of a stream, which are empty.
    pub(super) fn forget(&mut self, stream: Stream) {
        self.lists.retain(|(_, of), list| *of != stream || !list.is_empty());
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
