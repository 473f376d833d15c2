//! A ring buffer with a hand-written impl, like a type of a library outside of the workspace.
//!
//! `cargo xtask minimum-rust` compiles and tests it with the oldest compiler that memprof-core
//! supports.

use memprof_core::walk::{Field, Position, Shape, Walk};
use memprof_core::MemoryProfile;

/// The last values that were pushed.
pub struct Ring<T> {
    values: Vec<T>,
    next: usize,
    name: String,
}

impl<T> Ring<T> {
    /// Returns an empty ring for at most `capacity` values.
    pub fn new(name: &str, capacity: usize) -> Self {
        Self { values: Vec::with_capacity(capacity), next: 0, name: name.to_owned() }
    }

    /// Adds a value; if the ring is full, it replaces the oldest one.
    pub fn push(&mut self, value: T) {
        if self.values.len() < self.values.capacity() {
            self.values.push(value);
        } else if let Some(oldest) = self.values.get_mut(self.next) {
            *oldest = value;
            self.next = (self.next + 1) % self.values.len();
        }
    }
}

impl<T: MemoryProfile> MemoryProfile for Ring<T> {
    fn shape() -> &'static Shape {
        const {
            &Shape::of::<Self>(
                const {
                    &[
                        Field::of::<Vec<T>>("values"),
                        Field::of::<usize>("next"),
                        Field::of::<String>("name"),
                    ]
                },
            )
        }
    }

    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let fields = walk.fields(at, Self::shape());
        self.values.owned(walk, fields.at(0));
        self.name.owned(walk, fields.at(2));
    }
}

#[cfg(test)]
mod tests {
    use super::Ring;
    use memprof_core::tree::{Branch, Collected};
    use memprof_core::total_bytes;
    use std::collections::{BTreeMap, HashMap};
    use std::sync::Arc;

    #[test]
    fn a_ring_of_texts_is_named_and_exact() {
        let mut ring = Ring::new("names", 4);
        ["a", "bc", "def", "ghij", "klmno"].map(|text| ring.push(text.to_owned()));
        let collected = Collected::of("ring", &ring);
        let root = collected.tree.root();
        let own = size_of::<Ring<String>>() as u64;
        // The last text has replaced the first.
        let texts = 4 * size_of::<String>() as u64 + 5 + 2 + 3 + 4;
        assert!(root.is_exact());
        assert_eq!(root.total_bytes(), own + texts + 5);
        assert_eq!(root.total_bytes(), total_bytes(&ring));
        assert_eq!(root.child("name").map(Branch::total_bytes), Some(5));
    }

    #[test]
    fn collections_of_std_are_counted() {
        let map: HashMap<u32, u32> = (0..100).map(|key| (key, key)).collect();
        let (buckets, group) = (128, 16);
        let table = buckets * (size_of::<(u32, u32)>() + 1) + group;
        assert_eq!(total_bytes(&map), (size_of_val(&map) + table) as u64);
        let tree: BTreeMap<u32, u64> = (0..100).map(|key| (key, 0)).collect();
        assert!(Collected::of("tree", &tree).tree.root().is_exact());
        let text: Arc<str> = "sixteen bytes ok".into();
        assert_eq!(total_bytes(&text), (size_of_val(&text) + 2 * size_of::<usize>() + 16) as u64);
    }
}
