//! `#[profile(each = …)]` for the values of other crates' maps.

use crate::allocator::owned_by;
use lru::LruCache;
use memprof::walk::{Each, Position, Walk};
use memprof::{MemoryProfile, Profile};
use std::num::NonZeroUsize;

/// A type without an impl of `MemoryProfile`.
struct Bitmap {
    rows: Vec<Vec<u8>>,
}

fn profile_bitmap<'a>(bitmap: &'a Bitmap, walk: &mut Walk<'a>, at: Position) {
    bitmap.rows.owned(walk, at);
}

/// A map whose values a function profiles.
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
