//! A B-tree after removals: a million random insertions, then the removal of three in five keys.

use crate::{Bar, Large, Subject, Workload, hand, peers, xorshift::Xorshift};
use std::collections::BTreeMap;

/// `BTreeMap<u64, String>`.
pub const WORKLOAD: Workload = Workload {
    name: "B-tree, 3 in 5 removed",
    bar: Bar::OverHand(1.2),
    beats_allocative: false,
    size: 1_000_000,
    large: Large::SeveralCaches,
    build: |size| Subject::new(|| build(size), exact, peers::all()),
};

/// Makes `size` insertions in random order, and keeps two in five keys.
pub fn build(size: usize) -> BTreeMap<u64, String> {
    let mut random = Xorshift::new(7);
    let mut keys: Vec<_> = (0..size).map(|_| random.bits()).collect();
    let mut map = BTreeMap::new();
    for &key in &keys {
        let letters = random.between(4, 20);
        map.insert(key, random.word(letters));
    }
    random.shuffle(&mut keys);
    for key in &keys[..size / 5 * 3] {
        map.remove(key);
    }
    map
}

/// Returns the exact bytes.
pub fn exact(map: &BTreeMap<u64, String>) -> usize {
    let mut texts = 0;
    let nodes = hand::btree_bytes(map, |text| texts += text.capacity());
    size_of_val(map) + nodes + texts
}
