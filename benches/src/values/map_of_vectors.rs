//! A map of a million names to vectors.

use crate::{Bar, Large, Subject, Workload, hand, peers, xorshift::Xorshift};
use std::collections::HashMap;

/// `HashMap<String, Vec<u32>>`.
pub const WORKLOAD: Workload = Workload {
    name: "map, string to vector",
    bar: Bar::OverHand(1.1),
    beats_allocative: true,
    size: 1_000_000,
    large: Large::Gibibyte,
    build: |size| Subject::new(|| build(size), exact, peers::all()),
};

/// Returns `size` names, each with up to 16 numbers.
pub fn build(size: usize) -> HashMap<String, Vec<u32>> {
    let mut random = Xorshift::new(4);
    let mut map = HashMap::new();
    for index in 0..size as u32 {
        let row = (0..random.below(17) as u32).map(|offset| index + offset).collect();
        map.insert(format!("row_{index:07}"), row);
    }
    map
}

/// Returns the exact bytes. It uses `sum`, because internal iteration (`fold`) over a hash table is
/// faster than a `for` loop.
#[allow(clippy::implicit_hasher, reason = "a value is what its builder makes")]
pub fn exact(map: &HashMap<String, Vec<u32>>) -> usize {
    let entry =
        |(name, row): (&String, &Vec<u32>)| name.capacity() + row.capacity() * size_of::<u32>();
    size_of_val(map) + hand::table_bytes(map) + map.iter().map(entry).sum::<usize>()
}
