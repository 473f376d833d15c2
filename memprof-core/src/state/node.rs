//! One path of the growing tree: its common counters, and the rare ones. A table finds the paths that are
//! entries of keyed maps.

use crate::shape::{Field, Shape};
use crate::state::{END, NO_NODE, NO_SHAPE, TYPE_FIELD};
use crate::words::LeafKind;
use std::hash::{BuildHasher, RandomState};

/// One path of the growing tree.
///
/// A million names make several million nodes, and most of the time is spent on memory that is new
/// or not in a cache. So a node takes two cache lines, and [`Rare`] contains what few paths need.
#[derive(Debug)]
pub(crate) struct Node {
    /// The last shape met at this path. Its fields start at `base`.
    pub(crate) shape: &'static Shape,
    pub(crate) base: u32,
    pub(crate) keys: u32,
    /// The bytes of the kinds that many paths have, indexed by [`kind_index`].
    pub(super) bytes: [u64; COMMON],
    pub(crate) allocations: u64,
    pub(crate) values: u64,
    pub(crate) excess: Excess,
    /// At the first node of a field set: the number of values of the set's type that the walk met.
    pub(crate) instances: u64,
    /// The field, with its name and attributes. If the node is an entry of a keyed map or belongs to
    /// a concrete type, `entry` has the name instead.
    pub(crate) field: &'static Field,
    /// The number of the entry that names this path, from 1; `END` if no entry does.
    pub(super) entry: u32,
    pub(crate) parent: u32,
    pub(crate) shared: u32,
    /// The number of this path's first mark, or `END`.
    pub(super) marks: u32,
    /// The number of this path's `Rare`, in the order in which they were added, or `END`.
    pub(super) rare: u32,
}

/// The counters that few paths have.
#[derive(Debug)]
pub(crate) struct Rare {
    /// The bytes of the kinds that few paths have, indexed by [`kind_index`].
    pub(super) bytes: [u64; LeafKind::ALL.len() - COMMON],
    pub(crate) tree_nodes: u64,
    /// The bytes freed if the entries of the trees are collected into new trees.
    pub(crate) compactable: u64,
    /// The number of shared allocations first counted here.
    pub(crate) shared_allocations: u64,
    /// The number of handles that keep these allocations alive.
    pub(crate) handles: u64,
    /// The number of values that equal a value met before, and their bytes.
    pub(crate) duplicates: u64,
    pub(crate) duplicate_bytes: u64,
    /// The number of names that keyed maps at this path gave to entries.
    pub(crate) names: u32,
    /// The number of names that they may give.
    pub(crate) cap: u32,
    /// The first of the other shapes met at this path. Values of several types may have the same
    /// path.
    pub(super) others: u32,
}

/// Bytes of the allocations with excess capacity at one node.
///
/// These sums do not follow from the leaves, for two reasons. Elements with fields add their bytes
/// below the node of their buffer. A table that is not full may still be the smallest table that
/// holds its entries.
#[derive(Clone, Copy, Debug, Default)]
struct Excess {
    /// All bytes of the allocations, used or not.
    pub(crate) buffers: u64,
    /// Bytes that `shrink_to_fit` frees.
    pub(crate) shrinkable: u64,
}

impl Excess {
    /// Adds allocations of `bytes` bytes in total, of which `shrink_to_fit` frees `freed`.
    #[inline]
    pub(crate) fn add(&mut self, bytes: usize, freed: usize) {
        self.buffers = self.buffers.saturating_add(bytes as u64);
        self.shrinkable = self.shrinkable.saturating_add(freed as u64);
    }
}

/// The rare counters of a path that has none.
pub(super) static NONE: Rare = Rare::new();

/// The number of kinds whose bytes are stored in a node.
pub(super) const COMMON: usize = 5;

/// Returns the index of a kind's bytes: in the node, or from [`COMMON`] on in the rare counters.
#[inline]
pub(super) const fn kind_index(kind: LeafKind) -> usize {
    match kind {
        LeafKind::Inline => 0,
        LeafKind::Data => 1,
        LeafKind::Spare => 2,
        LeafKind::Counts => 3,
        LeafKind::Padding => 4,
        LeafKind::Table => COMMON,
        LeafKind::Nodes => COMMON + 1,
        LeafKind::Skipped => COMMON + 2,
        LeafKind::Opaque => COMMON + 3,
    }
}

impl Node {
    pub(super) const fn new(field: &'static Field, parent: u32) -> Self {
        Self {
            shape: &NO_SHAPE,
            base: NO_NODE,
            keys: NO_NODE,
            bytes: [0; COMMON],
            allocations: 0,
            values: 0,
            excess: Excess { buffers: 0, shrinkable: 0 },
            instances: 0,
            field,
            entry: END,
            parent,
            shared: NO_NODE,
            marks: END,
            rare: END,
        }
    }

    /// Adds bytes of a kind that many paths have.
    #[inline]
    pub(crate) fn add_bytes(&mut self, kind: LeafKind, bytes: usize) {
        let sum = &mut self.bytes[kind_index(kind)];
        *sum = sum.saturating_add(bytes as u64);
    }

    pub(crate) fn is_marked(&self) -> bool {
        self.marks != END
    }

    /// Returns whether this node is an entry of a keyed map.
    pub(crate) fn is_entry(&self) -> bool {
        self.entry != END && !core::ptr::eq(self.field, &raw const TYPE_FIELD)
    }
}

impl Rare {
    pub(super) const fn new() -> Self {
        Self {
            bytes: [0; LeafKind::ALL.len() - COMMON],
            tree_nodes: 0,
            compactable: 0,
            shared_allocations: 0,
            handles: 0,
            duplicates: 0,
            duplicate_bytes: 0,
            names: 0,
            cap: 0,
            others: END,
        }
    }
}

/// The entries of keyed maps, and a hash table that finds them. The table uses open addressing and
/// is at most half full.
///
/// A `HashMap` would need an owned key to look up a pair that contains a `str`. The hasher is
/// random, so that chosen names cannot cause collisions.
#[derive(Debug, Default)]
pub(super) struct Entries {
    slots: Vec<Slot>,
    /// Entry `n` is the element `n - 1`.
    list: Vec<Entry>,
    /// The names of all entries, one after the other.
    names: String,
    hasher: RandomState,
}

/// The hash of an entry, cut to 32 bits, and the entry's number, or [`END`] if the slot is free.
#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    entry: u32,
}

/// An entry. Its name begins where the name of the previous entry ends.
#[derive(Clone, Copy, Debug)]
struct Entry {
    name_end: usize,
    parent: u32,
    node: u32,
}

/// The number of slots that a table gets for its first entry.
const MIN_SLOTS: usize = 8;

impl Entries {
    /// Returns the node of the entry with this name below `parent`.
    pub(super) fn find(&self, parent: u32, name: &str) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let hash = self.hash(parent, name);
        let mut index = hash as usize;
        loop {
            let slot = self.slots[index & (self.slots.len() - 1)];
            if slot.entry == END {
                return None;
            }
            if slot.hash == hash {
                let entry = self.list[slot.entry as usize - 1];
                if entry.parent == parent && self.name(slot.entry) == name {
                    return Some(entry.node);
                }
            }
            index += 1;
        }
    }

    /// Adds an entry that is not in the table and returns its number.
    pub(super) fn add(&mut self, parent: u32, name: &str, node: u32) -> u32 {
        if 2 * self.list.len() >= self.slots.len() {
            self.resize((2 * self.slots.len()).max(MIN_SLOTS));
        }
        self.names.push_str(name);
        self.list.push(Entry { name_end: self.names.len(), parent, node });
        let entry = self.list.len() as u32;
        self.insert_slot(Slot { hash: self.hash(parent, name), entry });
        entry
    }

    /// Returns the name of an entry.
    pub(super) fn name(&self, entry: u32) -> &str {
        let index = entry as usize - 1;
        let start = index.checked_sub(1).map_or(0, |before| self.list[before].name_end);
        &self.names[start..self.list[index].name_end]
    }

    /// Reserves slots for more entries at once, instead of doubling the table repeatedly.
    pub(super) fn reserve(&mut self, entries: usize) {
        let slots = (2 * (self.list.len() + entries)).next_power_of_two();
        if slots > self.slots.len().max(MIN_SLOTS) {
            self.resize(slots);
        }
    }

    fn resize(&mut self, slots: usize) {
        let free = Slot { hash: 0, entry: END };
        let old = core::mem::replace(&mut self.slots, vec![free; slots]);
        old.into_iter().filter(|slot| slot.entry != END).for_each(|slot| self.insert_slot(slot));
    }

    fn insert_slot(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let mut index = slot.hash as usize & mask;
        while self.slots[index].entry != END {
            index = (index + 1) & mask;
        }
        self.slots[index] = slot;
    }

    fn hash(&self, parent: u32, name: &str) -> u32 {
        self.hasher.hash_one((parent, name)) as u32
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::Node;

    #[test]
    fn a_node_takes_two_cache_lines() {
        assert_eq!(size_of::<Node>(), 128);
    }
}

#[cfg(test)]
mod entries_tests {
    use super::Entries;

    #[test]
    fn each_name_is_found_only_below_its_parent() {
        let mut entries = Entries::default();
        assert_eq!(entries.find(0, "0"), None);
        entries.reserve(100);
        for number in 0..1000 {
            for parent in [0, 1] {
                let entry = entries.add(parent, &number.to_string(), 10 * number + parent);
                assert_eq!(entries.name(entry), number.to_string());
            }
        }
        for number in 0..1000 {
            let name = number.to_string();
            assert_eq!(entries.find(0, &name), Some(10 * number));
            assert_eq!(entries.find(1, &name), Some(10 * number + 1));
            assert_eq!(entries.find(2, &name), None);
        }
        assert_eq!(entries.find(0, "1000"), None);
        assert!(entries.slots.len() >= 2 * entries.list.len());
    }
}
