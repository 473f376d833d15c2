//! Finds the entry that a name has below a node, without a copy of the name.

use crate::paths::{NO_NODE, Node};
use std::hash::{BuildHasher, RandomState};

/// A table of the nodes that names were given to: open addressing, at most half full.
///
/// A `HashMap` would need an owned key for each look-up of a pair that contains a `str`. Here the
/// key is in the node. The hasher is random, so that chosen names cannot collide on purpose.
#[derive(Debug, Default)]
pub(super) struct Entries {
    slots: Vec<Slot>,
    len: usize,
    hasher: RandomState,
}

/// Part of an entry's hash, and the entry's node; [`NO_NODE`] if the slot is free.
#[derive(Clone, Copy, Debug)]
struct Slot {
    hash: u32,
    node: u32,
}

/// The slots of a table that has its first entry.
const FEWEST: usize = 8;

impl Entries {
    /// The entry that `name` names below `parent`.
    pub(super) fn find(&self, parent: u32, name: &str, nodes: &[Node]) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let hash = self.hash(parent, name);
        let mut at = hash as usize;
        loop {
            let slot = self.slots[at & (self.slots.len() - 1)];
            if slot.node == NO_NODE {
                return None;
            }
            let node = &nodes[slot.node as usize];
            if slot.hash == hash && node.parent == parent && node.name == name {
                return Some(slot.node);
            }
            at += 1;
        }
    }

    /// Adds an entry that is not in the table.
    pub(super) fn add(&mut self, parent: u32, name: &str, node: u32) {
        if 2 * self.len >= self.slots.len() {
            self.grow();
        }
        self.len += 1;
        self.place(Slot { hash: self.hash(parent, name), node });
    }

    fn grow(&mut self) {
        let slots = (2 * self.slots.len()).max(FEWEST);
        let free = Slot { hash: 0, node: NO_NODE };
        let old = core::mem::replace(&mut self.slots, vec![free; slots]);
        old.into_iter().filter(|slot| slot.node != NO_NODE).for_each(|slot| self.place(slot));
    }

    fn place(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let mut at = slot.hash as usize & mask;
        while self.slots[at].node != NO_NODE {
            at = (at + 1) & mask;
        }
        self.slots[at] = slot;
    }

    fn hash(&self, parent: u32, name: &str) -> u32 {
        self.hasher.hash_one((parent, name)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::Entries;
    use crate::paths::Node;
    use std::borrow::Cow;

    #[test]
    fn each_name_is_found_below_its_own_parent_alone() {
        let (mut entries, mut nodes) = (Entries::default(), vec![Node::new(Cow::Borrowed(""), 0)]);
        assert_eq!(entries.find(0, "0", &nodes), None);
        for number in 0..1000 {
            for parent in [0, 1] {
                nodes.push(Node::new(Cow::Owned(number.to_string()), parent));
                entries.add(parent, &number.to_string(), nodes.len() as u32 - 1);
            }
        }
        for number in 0..1000 {
            let name = number.to_string();
            assert_eq!(entries.find(0, &name, &nodes), Some(2 * number + 1));
            assert_eq!(entries.find(1, &name, &nodes), Some(2 * number + 2));
            assert_eq!(entries.find(2, &name, &nodes), None);
        }
        assert_eq!(entries.find(0, "1000", &nodes), None);
        assert!(entries.slots.len() >= 2 * entries.len);
    }
}
