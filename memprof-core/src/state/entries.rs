//! The entries of keyed maps, which are found by node and name without a copy of the name.

use crate::state::END;
use std::hash::{BuildHasher, RandomState};

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

#[cfg(test)]
mod tests {
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
