//! What tables hold: keys and values, or values alone, tallied in one loop.

use crate::{At, MemoryProfile, Tally, Walk};

/// Adds `len` keys at the map's `[keys]` and as many values at the map, with all that they own.
#[inline]
pub(crate) fn add_pairs<'a, K: MemoryProfile + 'a, V: MemoryProfile + 'a>(
    entries: impl Iterator<Item = (&'a K, &'a V)>,
    len: usize,
    walk: &mut Walk<'a>,
    at: At,
) {
    let keys = walk.keys(at);
    K::inline(walk, keys, len);
    V::inline(walk, at, len);
    if K::is_flat() && V::is_flat() {
        return;
    }
    let (keys, values) = (keys.deeper(), at.deeper());
    let (mut key_tally, mut value_tally) = (Tally::default(), Tally::default());
    for (key, value) in entries {
        key.tally(&mut key_tally, walk, keys);
        value.tally(&mut value_tally, walk, values);
    }
    K::settle(key_tally, walk, keys);
    V::settle(value_tally, walk, values);
}

/// Adds `len` values of a set, with all that they own.
#[inline]
pub(crate) fn add_values<'a, T: MemoryProfile + 'a>(
    values: impl Iterator<Item = &'a T>,
    len: usize,
    walk: &mut Walk<'a>,
    at: At,
) {
    T::inline(walk, at, len);
    if T::is_flat() {
        return;
    }
    let mut tally = Tally::default();
    for value in values {
        value.tally(&mut tally, walk, at.deeper());
    }
    T::settle(tally, walk, at.deeper());
}
