//! One path of the growing tree: its common counters, and the rare ones. A table finds the paths that are
//! entries of keyed maps.

use crate::shape::{Field, Shape};
use crate::state::{Marked, NO_NODE, NO_SHAPE, OtherShape, TYPE_FIELD};
use crate::words::LeafKind;
use core::fmt;
use core::marker::PhantomData;
use core::num::NonZeroU32;
use core::ops::{Index, IndexMut};
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
    /// The entry that names this path.
    pub(super) entry: Option<Id<Entry>>,
    pub(crate) parent: u32,
    pub(crate) shared: u32,
    /// The first mark of this path.
    pub(super) marks: Option<Id<Marked>>,
    pub(super) rare: Option<Id<Rare>>,
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
    pub(super) others: Option<Id<OtherShape>>,
}

/// Bytes of the allocations with excess capacity at one node.
///
/// These sums do not follow from the leaves, for two reasons. Elements with fields add their bytes
/// below the node of their buffer. A table that is not full may still be the smallest table that
/// holds its entries.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Excess {
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
            entry: None,
            parent,
            shared: NO_NODE,
            marks: None,
            rare: None,
        }
    }

    /// Adds bytes of a kind that many paths have.
    #[inline]
    pub(crate) fn add_bytes(&mut self, kind: LeafKind, bytes: usize) {
        let sum = &mut self.bytes[kind_index(kind)];
        *sum = sum.saturating_add(bytes as u64);
    }

    pub(crate) fn is_marked(&self) -> bool {
        self.marks.is_some()
    }

    /// Returns whether this node is an entry of a keyed map.
    pub(crate) fn is_entry(&self) -> bool {
        self.entry.is_some() && !core::ptr::eq(self.field, &raw const TYPE_FIELD)
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
            others: None,
        }
    }
}

/// A list whose elements have numbers of a type of their own.
#[derive(Debug)]
pub(super) struct List<T>(pub(super) Vec<T>);

/// The number of an element of a list, from 1, so that an `Option` of it takes four bytes.
pub(super) struct Id<T>(NonZeroU32, PhantomData<fn() -> T>);

impl<T> List<T> {
    /// Adds an element.
    ///
    /// # Panics
    /// Panics if the list is longer than the numbers reach, for which memory would not suffice.
    pub(super) fn push(&mut self, element: T) -> Id<T> {
        self.0.push(element);
        let number = NonZeroU32::new(self.0.len() as u32);
        Id(number.expect("a list has fewer than 2^32 elements"), PhantomData)
    }

    /// Returns the elements of a linked list, from its first one on.
    pub(super) fn linked(
        &self,
        first: Option<Id<T>>,
        next: fn(&T) -> Option<Id<T>>,
    ) -> impl Iterator<Item = &T> {
        let mut at = first;
        core::iter::from_fn(move || {
            let element = &self[at?];
            at = next(element);
            Some(element)
        })
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Index<Id<T>> for List<T> {
    type Output = T;

    fn index(&self, id: Id<T>) -> &T {
        &self.0[id.0.get() as usize - 1]
    }
}

impl<T> IndexMut<Id<T>> for List<T> {
    fn index_mut(&mut self, id: Id<T>) -> &mut T {
        &mut self.0[id.0.get() as usize - 1]
    }
}

impl<T> Id<T> {
    /// Returns the number of the element before this one.
    fn before(self) -> Option<Self> {
        Some(Self(NonZeroU32::new(self.0.get() - 1)?, PhantomData))
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Id<T> {}

impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
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
    list: List<Entry>,
    /// The names of all entries, one after the other.
    names: String,
    hasher: RandomState,
}

/// The hash of an entry, cut to 32 bits, and the entry; `None` if the slot is free.
#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    entry: Option<Id<Entry>>,
}

/// An entry. Its name begins where the name of the previous entry ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
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
            let entry = slot.entry?;
            if slot.hash == hash && self.list[entry].parent == parent && self.name(entry) == name {
                return Some(self.list[entry].node);
            }
            index += 1;
        }
    }

    /// Adds an entry that is not in the table and returns its number.
    pub(super) fn add(&mut self, parent: u32, name: &str, node: u32) -> Id<Entry> {
        if 2 * self.list.0.len() >= self.slots.len() {
            self.resize((2 * self.slots.len()).max(MIN_SLOTS));
        }
        self.names.push_str(name);
        let entry = self.list.push(Entry { name_end: self.names.len(), parent, node });
        self.insert_slot(Slot { hash: self.hash(parent, name), entry: Some(entry) });
        entry
    }

    /// Returns the name of an entry.
    pub(super) fn name(&self, entry: Id<Entry>) -> &str {
        let start = entry.before().map_or(0, |before| self.list[before].name_end);
        &self.names[start..self.list[entry].name_end]
    }

    /// Reserves slots for more entries at once, instead of doubling the table repeatedly.
    pub(super) fn reserve(&mut self, entries: usize) {
        let slots = (2 * (self.list.0.len() + entries)).next_power_of_two();
        if slots > self.slots.len().max(MIN_SLOTS) {
            self.resize(slots);
        }
    }

    fn resize(&mut self, slots: usize) {
        let free = Slot { hash: 0, entry: None };
        let old = core::mem::replace(&mut self.slots, vec![free; slots]);
        old.into_iter().filter(|slot| slot.entry.is_some()).for_each(|slot| self.insert_slot(slot));
    }

    fn insert_slot(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let mut index = slot.hash as usize & mask;
        while self.slots[index].entry.is_some() {
            index = (index + 1) & mask;
        }
        self.slots[index] = slot;
    }

    fn hash(&self, parent: u32, name: &str) -> u32 {
        self.hasher.hash_one((parent, name)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::Entries;

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn a_node_takes_two_cache_lines() {
        assert_eq!(size_of::<super::Node>(), 128);
    }

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
        assert!(entries.slots.len() >= 2 * entries.list.0.len());
    }
}
