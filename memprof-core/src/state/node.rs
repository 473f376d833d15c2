//! One path of the growing tree: its common counters, and the rare ones. A table finds the paths
//! that are entries of keyed maps.

use crate::list::{Id, List};
use crate::shape::{Field, NodeId, Shape};
use crate::sharing::AddressHasher;
use crate::state::{Marked, NO_SHAPE, OtherShape, TYPE_FIELD};
use crate::words::LeafKind;
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, RandomState};

/// One path of the growing tree.
///
/// A million names make several million nodes, and most of the time is spent on memory that is new
/// or not in a cache. So a node takes two cache lines, and [`Rare`] contains what few paths need.
#[derive(Debug)]
pub(crate) struct Node {
    /// The last shape met at this path.
    pub(super) shape: &'static Shape,
    /// The node of the first field of that shape.
    pub(super) base: Child,
    pub(super) keys: Child,
    pub(super) counters: [u64; COMMON],
    /// At the first node of a field set: the number of values of the set's type that the walk met.
    pub(crate) instances: u64,
    /// The field, with its name and attributes. If the node is an entry of a keyed map or belongs to
    /// a concrete type, `entry` has the name instead.
    pub(crate) field: &'static Field,
    pub(super) entry: Option<Id<Entry>>,
    pub(crate) parent: NodeId,
    pub(super) shared: Child,
    /// The first mark of this path.
    pub(super) marks: Option<Id<Marked>>,
    pub(super) rare: Option<Id<Rare>>,
}

/// A node below another one, or none. The root is below no node, so its number stands for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Child(NodeId);

impl Child {
    pub(crate) const NONE: Self = Self(NodeId::ROOT);

    #[inline]
    pub(crate) fn get(self) -> Option<NodeId> {
        (self != Self::NONE).then_some(self.0)
    }

    #[inline]
    pub(super) fn or_root(self) -> NodeId {
        self.0
    }
}

impl From<NodeId> for Child {
    fn from(node: NodeId) -> Self {
        Self(node)
    }
}

/// The counters that few paths have.
#[derive(Debug)]
pub(crate) struct Rare {
    pub(super) counters: [u64; Counter::LEN - COMMON],
    /// The number of names that keyed maps at this path gave to entries.
    pub(crate) names: u32,
    /// The number of names that they may give.
    pub(crate) cap: u32,
    /// The first of the other shapes met at this path. Values of several types may have the same
    /// path.
    pub(super) others: Option<Id<OtherShape>>,
}

/// A number at a path: the bytes of a kind, or a count.
///
/// The bytes of buffers with excess capacity do not follow from the leaves, for two reasons. Elements
/// with fields add their bytes below the node of their buffer. A table that is not full may still be
/// the smallest table that holds its entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counter {
    Inline,
    Data,
    Spare,
    Counts,
    Padding,
    Allocations,
    Values,
    /// All bytes of the buffers that may have excess capacity, used or not.
    BufferBytes,
    /// The bytes of these buffers that `shrink_to_fit` frees.
    ShrinkableBytes,
    Table,
    Nodes,
    Skipped,
    Opaque,
    TreeNodes,
    /// The bytes freed if the entries of the trees are collected into new trees.
    CompactableBytes,
    /// The shared allocations first counted here.
    SharedAllocations,
    /// The handles that keep these allocations alive.
    Handles,
    /// The values that equal a value met before.
    Duplicates,
    DuplicateBytes,
}

/// The number of counters that are stored in a node.
pub(super) const COMMON: usize = Counter::Table as usize;

pub(crate) type Counters<N> = [N; Counter::LEN];

impl Counter {
    pub(crate) const LEN: usize = Self::DuplicateBytes as usize + 1;

    /// The counts that a visit can add. Duplicates are counted after it.
    pub(crate) const COUNTS: [Self; 8] = [
        Self::Allocations,
        Self::Values,
        Self::BufferBytes,
        Self::ShrinkableBytes,
        Self::TreeNodes,
        Self::CompactableBytes,
        Self::SharedAllocations,
        Self::Handles,
    ];

    #[inline]
    pub(crate) const fn of(kind: LeafKind) -> Self {
        match kind {
            LeafKind::Inline => Self::Inline,
            LeafKind::Data => Self::Data,
            LeafKind::Spare => Self::Spare,
            LeafKind::Counts => Self::Counts,
            LeafKind::Padding => Self::Padding,
            LeafKind::Table => Self::Table,
            LeafKind::Nodes => Self::Nodes,
            LeafKind::Skipped => Self::Skipped,
            LeafKind::Opaque => Self::Opaque,
        }
    }

    /// Returns the bytes of each kind among counters, in the order of [`LeafKind::ALL`].
    pub(crate) fn bytes_in<N: Copy>(counters: &Counters<N>) -> [N; LeafKind::ALL.len()] {
        core::array::from_fn(|index| counters[Self::of(LeafKind::ALL[index]) as usize])
    }
}

pub(super) static NONE: Rare = Rare::new();

impl Node {
    pub(super) const fn new(field: &'static Field, parent: NodeId) -> Self {
        Self {
            shape: &NO_SHAPE,
            base: Child::NONE,
            keys: Child::NONE,
            counters: [0; COMMON],
            instances: 0,
            field,
            entry: None,
            parent,
            shared: Child::NONE,
            marks: None,
            rare: None,
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, counter: Counter, more: usize) {
        let sum = &mut self.counters[counter as usize];
        *sum = sum.saturating_add(more as u64);
    }

    /// Never overflows, because each allocation has an address.
    #[inline]
    pub(crate) fn add_allocations(&mut self, count: usize) {
        self.counters[Counter::Allocations as usize] += count as u64;
    }

    /// `shrink_to_fit` frees `freed` of these bytes.
    #[inline]
    pub(crate) fn add_excess(&mut self, bytes: usize, freed: usize) {
        self.add(Counter::BufferBytes, bytes);
        self.add(Counter::ShrinkableBytes, freed);
    }

    pub(crate) fn is_marked(&self) -> bool {
        self.marks.is_some()
    }

    pub(crate) fn is_entry(&self) -> bool {
        self.entry.is_some() && !core::ptr::eq(self.field, &raw const TYPE_FIELD)
    }
}

impl Rare {
    pub(super) const fn new() -> Self {
        Self { counters: [0; Counter::LEN - COMMON], names: 0, cap: 0, others: None }
    }

    pub(crate) fn add_shared(&mut self, strong: usize) {
        self.counters[Counter::SharedAllocations as usize - COMMON] += 1;
        let handles = &mut self.counters[Counter::Handles as usize - COMMON];
        *handles = handles.saturating_add(strong as u64);
    }
}

/// The entries of keyed maps, and a table that finds them by their hashes.
///
/// A `HashMap` of entries would need an owned key to look up a pair that contains a `str`. The hasher
/// of names is random, so that chosen names cannot cause collisions.
#[derive(Debug, Default)]
pub(super) struct Entries {
    /// The last entry with each hash.
    last: HashMap<usize, Id<Entry>, BuildHasherDefault<AddressHasher>>,
    list: List<Entry>,
    /// The names of all entries, one after the other.
    names: String,
    hasher: RandomState,
}

/// An entry. Its name begins where the name of the previous entry ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    name_end: usize,
    parent: NodeId,
    node: NodeId,
    /// The entry before that has the same hash.
    same_hash: Option<Id<Self>>,
}

impl Entries {
    pub(super) fn find(&self, parent: NodeId, name: &str) -> Option<NodeId> {
        let mut next = self.last.get(&self.hash(parent, name)).copied();
        while let Some(id) = next {
            let entry = &self.list[id];
            if entry.parent == parent && self.name(id) == name {
                return Some(entry.node);
            }
            next = entry.same_hash;
        }
        None
    }

    /// The entry must not be in the table.
    pub(super) fn add(&mut self, parent: NodeId, name: &str, node: NodeId) -> Id<Entry> {
        self.names.push_str(name);
        let same_hash = self.last.insert(self.hash(parent, name), self.list.next());
        self.list.push(Entry { name_end: self.names.len(), parent, node, same_hash })
    }

    pub(super) fn name(&self, entry: Id<Entry>) -> &str {
        let start = entry.before().map_or(0, |before| self.list[before].name_end);
        &self.names[start..self.list[entry].name_end]
    }

    /// Reserves memory for more entries at once, instead of doubling the table repeatedly.
    pub(super) fn reserve(&mut self, entries: usize) {
        self.last.reserve(entries);
    }

    fn hash(&self, parent: NodeId, name: &str) -> usize {
        self.hasher.hash_one((parent, name)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Entries;
    use crate::list::Number;
    use crate::shape::NodeId;

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn a_node_takes_two_cache_lines() {
        assert_eq!(size_of::<super::Node>(), 128);
    }

    #[test]
    fn each_name_is_found_only_below_its_parent() {
        let node = NodeId::at;
        let mut entries = Entries::default();
        assert_eq!(entries.find(node(0), "0"), None);
        entries.reserve(100);
        for number in 0..1000 {
            for parent in [0, 1] {
                let name = number.to_string();
                let entry = entries.add(node(parent), &name, node(10 * number + parent));
                assert_eq!(entries.name(entry), name);
            }
        }
        for number in 0..1000 {
            let name = number.to_string();
            assert_eq!(entries.find(node(0), &name), Some(node(10 * number)));
            assert_eq!(entries.find(node(1), &name), Some(node(10 * number + 1)));
            assert_eq!(entries.find(node(2), &name), None);
        }
        assert_eq!(entries.find(node(0), "1000"), None);
    }
}
