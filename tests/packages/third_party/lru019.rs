//! Random caches: filled, used, resized.

use crate::asserted::assert_exact;
use crate::hashes::{Build, Plain};
use crate::random::Random;
use crate::values::{Key, Value};
use lru::LruCache;
use memprof::Profile;
use std::num::NonZeroUsize;

impl<K: Key, V: Value, S: Build> Value for LruCache<K, V, S> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let capacity = NonZeroUsize::MIN.saturating_add(random.capacity());
            let mut cache = match random.below(3) {
                0 => Self::unbounded_with_hasher(S::default()),
                _ => Self::with_hasher(capacity, S::default()),
            };
            for _ in 0..random.below(5) {
                match random.below(6) {
                    0..3 => {
                        for (key, value) in <(K, V)>::several(random) {
                            cache.put(key, value);
                        }
                    }
                    3 => drop(cache.pop_lru()),
                    4 => cache.resize(NonZeroUsize::MIN.saturating_add(random.capacity())),
                    _ => cache = cache.clone(),
                }
            }
            cache
        })
    }
}

#[test]
fn an_empty_cache_owns_the_ends_of_its_list() {
    assert_exact(|| LruCache::<u64, String, Plain>::unbounded_with_hasher(Plain::default()));
    assert_exact(|| LruCache::<u64, String>::new(NonZeroUsize::MIN));
}

#[test]
fn a_cache_of_the_default_hasher_is_exact_at_every_step() {
    for len in 0..200 {
        let cache = assert_exact(|| {
            let mut cache: LruCache<u32, String> =
                LruCache::new(NonZeroUsize::MIN.saturating_add(63));
            for number in 0..len {
                cache.put(number, "x".repeat(number as usize));
            }
            cache
        });
        assert_eq!(Profile::of(&cache).root().counts().values, u64::from(len.min(64)));
    }
}
