//! Facts about std that a hand-written exact sum needs besides `capacity()`.

use std::collections::{BTreeMap, HashMap};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

/// Returns the bytes of a hash map's table. They are exact if nothing was ever removed from it.
pub fn table_bytes<K, V, S>(map: &HashMap<K, V, S>) -> usize {
    const GROUP: usize = 16;
    let capacity = map.capacity();
    if capacity == 0 {
        return 0;
    }
    let buckets = if capacity < 8 { capacity + 1 } else { capacity / 7 * 8 };
    let entries = (buckets * size_of::<(K, V)>()).next_multiple_of(GROUP);
    entries + buckets + GROUP
}

/// Mirrors a leaf of std's B-tree.
struct Leaf<K, V> {
    _parent: Option<NonNull<u8>>,
    _keys: [MaybeUninit<K>; 11],
    _values: [MaybeUninit<V>; 11],
    _place_in_parent: MaybeUninit<u16>,
    _len: u16,
}

/// Mirrors an inner node of std's B-tree.
#[repr(C)]
struct Inner<K, V> {
    _keys: Leaf<K, V>,
    _children: [MaybeUninit<NonNull<u8>>; 12],
}

/// Returns the bytes of a B-tree's nodes, computed from the addresses of its keys in order.
///
/// The keys of a leaf are adjacent. If the next key is elsewhere, it belongs to an inner node, and
/// a new leaf follows. If the address continues an inner node that is still open, the key belongs
/// to that node. Otherwise the inner node is new.
pub fn btree_bytes<K, V>(map: &BTreeMap<K, V>, mut each: impl FnMut(&V)) -> usize {
    const LEVELS: usize = 24;
    let mut open = [0_usize; LEVELS];
    let (mut leaves, mut inners) = (usize::from(!map.is_empty()), 0);
    let (mut next_in_leaf, mut leaf_is_new) = (0, true);
    for (key, value) in map {
        let address = std::ptr::from_ref(key).addr();
        if leaf_is_new || address == next_in_leaf {
            next_in_leaf = address + size_of::<K>();
            leaf_is_new = false;
        } else {
            leaves += 1;
            leaf_is_new = true;
            for next in &mut open {
                if *next == address || *next == 0 {
                    inners += usize::from(*next == 0);
                    *next = address + size_of::<K>();
                    break;
                }
                *next = 0;
            }
        }
        each(value);
    }
    leaves * size_of::<Leaf<K, V>>() + inners * size_of::<Inner<K, V>>()
}

/// Addresses of shared memory that is already counted: a table with linear probing, at most half
/// full. Addresses need no protection against attackers, so the hash is one multiplication.
#[derive(Debug)]
pub struct Visited {
    slots: Vec<usize>,
    len: usize,
}

impl Visited {
    /// Returns a table with room for `addresses` addresses.
    pub fn new(addresses: usize) -> Self {
        Self { slots: vec![0; (2 * addresses).next_power_of_two().max(64)], len: 0 }
    }

    /// Adds an address. Returns whether it is new.
    pub fn insert(&mut self, address: usize) -> bool {
        if 2 * self.len >= self.slots.len() {
            let old = std::mem::replace(self, Self::new(2 * self.len));
            old.slots.into_iter().filter(|&known| known != 0).for_each(|known| {
                self.insert(known);
            });
        }
        let (last, shift) = (self.slots.len() - 1, usize::BITS - self.slots.len().trailing_zeros());
        let mut index = address.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as usize) >> shift;
        loop {
            match self.slots[index] {
                known if known == address => return false,
                0 => break,
                _ => index = (index + 1) & last,
            }
        }
        self.slots[index] = address;
        self.len += 1;
        true
    }
}

/// Returns the bytes of the block behind an `Arc<T>`: two counts and the value.
pub const fn arc_bytes<T>() -> usize {
    #[repr(C)]
    struct Block<T> {
        _strong: usize,
        _weak: usize,
        _value: T,
    }
    size_of::<Block<T>>()
}
