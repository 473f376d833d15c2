//! `#[profile(each = …)]` for sets, and for the values of other crates' maps.

use crate::allocator::owned_by;
use lru::LruCache;
use memprof::walk::{Each, Position, Walk};
use memprof::{MemoryProfile, Profile};
use std::collections::{BTreeSet, HashSet};
use std::hash::BuildHasher;
use std::num::NonZeroUsize;

/// A type without an impl of `MemoryProfile`.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Bitmap {
    rows: Vec<Vec<u8>>,
}

fn profile_bitmap<'a>(bitmap: &'a Bitmap, walk: &mut Walk<'a>, at: Position) {
    bitmap.rows.owned(walk, at);
}

/// A map or set whose values a function profiles.
#[derive(MemoryProfile)]
#[profile(bound = "M: Each<Element = Bitmap>")]
struct Album<M> {
    #[profile(each = profile_bitmap)]
    bitmaps: M,
}

fn bitmaps() -> impl Iterator<Item = (String, Bitmap)> {
    (0..20).map(|rows| (format!("bitmap {rows}"), Bitmap { rows: vec![vec![7; 10]; rows] }))
}

#[track_caller]
fn assert_exact<M: Each<Element = Bitmap>>(make: impl FnOnce() -> M) {
    let (album, owned) = owned_by(|| Album { bitmaps: make() });
    let profile = Profile::of(&album);
    assert!(profile.is_exact(), "{profile}");
    assert_eq!(profile.total_bytes(), owned as u64 + size_of::<M>() as u64, "{profile}");
}

#[test]
fn values_of_an_insertion_ordered_map_are_exact() {
    assert_exact(|| bitmaps().collect::<indexmap::IndexMap<_, _>>());
    assert_exact(|| bitmaps().collect::<ordermap::OrderMap<_, _>>());
}

#[test]
fn values_of_a_table_are_exact() {
    assert_exact(|| bitmaps().collect::<hashbrown::HashMap<_, _>>());
}

#[test]
fn values_of_a_cache_are_exact() {
    let capacity = NonZeroUsize::new(8).expect("8 is not 0");
    assert_exact(|| {
        let mut cache = LruCache::new(capacity);
        bitmaps().for_each(|(name, bitmap)| drop(cache.put(name, bitmap)));
        cache
    });
}

#[test]
fn values_of_a_set_are_exact() {
    let values = || bitmaps().map(|(_, bitmap)| bitmap);
    assert_exact(|| values().collect::<HashSet<_>>());
    assert_exact(|| values().collect::<BTreeSet<_>>());
    assert_exact(|| values().collect::<indexmap::IndexSet<_>>());
    assert_exact(|| values().collect::<ordermap::OrderSet<_>>());
    assert_exact(|| values().collect::<hashbrown::HashSet<_>>());
    assert_exact(|| {
        let hasher = hashbrown::DefaultHashBuilder::default();
        let mut table = hashbrown::HashTable::new();
        for bitmap in values() {
            table.insert_unique(hasher.hash_one(&bitmap), bitmap, |other| hasher.hash_one(other));
        }
        table
    });
}

#[test]
fn an_emptied_set_is_exact() {
    let emptied = |mut set: BTreeSet<Bitmap>| {
        set.retain(|_| false);
        set
    };
    assert_exact(|| emptied(bitmaps().map(|(_, bitmap)| bitmap).collect()));
    assert_exact(HashSet::<Bitmap>::new);
}
