//! Caches of moka, whose entries the walk reads through an iterator.

use crate::asserted::assert_near;
use memprof::Profile;
use memprof::tree::{Branch, KEYS};
use moka::sync::Cache;
use std::sync::Arc;

#[test]
fn caches_are_near_the_allocator() {
    for (len, percent) in [(0, 40), (10, 40), (100, 60), (1_000, 25), (10_000, 25), (50_000, 25)] {
        assert_near(percent, || {
            let cache = Cache::new(100_000);
            for key in 0..len as u64 {
                cache.insert(key, key);
            }
            cache.run_pending_tasks();
            cache
        });
    }
}

#[test]
fn entries_are_counted_with_all_they_own() {
    let cache: Cache<String, Arc<Vec<u8>>> = Cache::new(100);
    cache.insert("k".repeat(1_000), Arc::new(vec![0; 50_000]));
    cache.run_pending_tasks();
    let profile = Profile::of(&cache);
    let keys = profile.root().child(KEYS).map(Branch::total_bytes);
    assert_eq!(keys, Some(16 + 24 + 1_000));
    assert_eq!(profile.root().counts().values, 1);
    assert!(profile.total_bytes() > 51_000, "{profile:?}");
    assert_eq!(Arc::strong_count(&cache.get(&"k".repeat(1_000)).expect("it is there")), 2);
}

#[test]
fn an_empty_cache_is_an_estimate() {
    assert!(!Profile::of(&Cache::<u8, u8>::new(10)).is_exact());
}
