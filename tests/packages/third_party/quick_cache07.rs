//! Caches of `quick_cache`, whose entries may have excess capacity.

use crate::asserted::{assert_marked, assert_near};
use memprof::Profile;
use memprof::tree::{Branch, KEYS, OpaqueReason};
use quick_cache::{sync, unsync};

#[test]
fn caches_are_near_the_allocator() {
    for len in [1_000, 5_000] {
        assert_near(30, || {
            let mut cache = unsync::Cache::new(10_000);
            for key in 0..len {
                cache.insert(key, "x".repeat(100));
            }
            cache
        });
    }
}

#[test]
fn entries_are_counted_with_all_they_own() {
    let mut cache: unsync::Cache<String, Vec<u8>> = unsync::Cache::new(10);
    cache.insert("k".repeat(1_000), vec![0; 50_000]);
    let profile = Profile::of(&cache);
    let keys = profile.root().child(KEYS).map(Branch::total_bytes);
    assert_eq!(keys, Some(24 + 1_000));
    assert_eq!(profile.root().counts().values, 1 + 50_000);
    assert!(profile.total_bytes() > 51_000, "{profile:?}");
}

#[test]
fn an_empty_cache_is_marked() {
    assert!(!Profile::of(&unsync::Cache::<u8, u8>::new(10)).is_exact());
}

#[test]
fn a_cache_behind_locks_is_opaque() {
    let cache: sync::Cache<u8, u8> = sync::Cache::new(10);
    assert_marked(&cache, OpaqueReason::Foreign, size_of_val(&cache));
}
