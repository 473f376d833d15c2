//! Entries of tables: keys and values, or values alone, accumulated in one loop.

use crate::MemoryProfile;
use crate::walk::{Position, Tally, Walk};

/// Adds `len` keys at the map's `[keys]` and `len` values at the map, with all that they own.
#[inline]
pub(crate) fn add_pairs<'a, K: MemoryProfile + 'a, V: MemoryProfile + 'a>(
    entries: impl Iterator<Item = (&'a K, &'a V)>,
    len: usize,
    walk: &mut Walk<'a>,
    at: Position,
) {
    let keys = walk.keys(at);
    K::inline(walk, keys, len);
    V::inline(walk, at, len);
    if K::is_flat() && V::is_flat() {
        return;
    }
    let (keys, values) = (keys.deeper(), at.deeper());
    if walk.is_observed() {
        let mut entries = Remaining { entries, len };
        while let Some((key, value)) = entries.next_or_mark(walk, at) {
            key.owned(walk, keys);
            value.owned(walk, values);
        }
        return;
    }
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
    at: Position,
) {
    T::inline(walk, at, len);
    if !T::is_flat() {
        add_owned(values, len, walk, at);
    }
}

/// Adds what each of `len` values owns, in any order.
#[inline]
pub(crate) fn add_owned<'a, T: MemoryProfile + 'a>(
    values: impl Iterator<Item = &'a T>,
    len: usize,
    walk: &mut Walk<'a>,
    at: Position,
) {
    if walk.is_observed() {
        let mut values = Remaining { entries: values, len };
        while let Some(value) = values.next_or_mark(walk, at) {
            value.owned(walk, at.deeper());
        }
        return;
    }
    let mut tally = Tally::default();
    for value in values {
        value.tally(&mut tally, walk, at.deeper());
    }
    T::settle(tally, walk, at.deeper());
}

/// The entries that a loop has not visited yet, and their number.
pub(crate) struct Remaining<I> {
    pub(crate) entries: I,
    pub(crate) len: usize,
}

impl<I: Iterator> Remaining<I> {
    /// Returns the next entry. If the walk was stopped, marks the remaining entries and returns
    /// `None`.
    #[inline]
    pub(crate) fn next_or_mark(&mut self, walk: &mut Walk<'_>, at: Position) -> Option<I::Item> {
        let next = self.next_unless_stopped(walk);
        if next.is_none() {
            walk.mark_unvisited(at, self.len);
        }
        next
    }

    /// Returns the next entry unless the walk was stopped.
    #[inline]
    pub(crate) fn next_unless_stopped(&mut self, walk: &mut Walk<'_>) -> Option<I::Item> {
        if self.len == 0 || walk.should_stop() {
            return None;
        }
        self.len -= 1;
        self.entries.next()
    }
}
