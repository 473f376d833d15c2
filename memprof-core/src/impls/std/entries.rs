//! Functions that add the entries of a collection: keys and values, or values alone.

use crate::MemoryProfile;
use crate::walk::{Position, Walk};

/// Adds `len` keys at the map's `[keys]` and `len` values at the map, with all that they own.
#[inline]
pub(crate) fn add_pairs<'a, K: MemoryProfile + 'a, V: MemoryProfile + 'a>(
    entries: impl Iterator<Item = (&'a K, &'a V)>,
    len: usize,
    walk: &mut Walk<'a>,
    at: Position,
) {
    let keys = walk.add_inline_pairs::<K, V>(len, at);
    walk.owned_pairs(entries, len, keys, at);
}

/// Adds `len` values of a set, with all that they own.
#[inline]
pub(crate) fn add_values<'a, T: MemoryProfile + 'a>(
    values: impl Iterator<Item = &'a T>,
    len: usize,
    walk: &mut Walk<'a>,
    at: Position,
) {
    walk.inline(at, T::shape(), len);
    walk.table_values(values, len, at, at);
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
        if self.len == 0 {
            return None;
        }
        if walk.should_stop() {
            walk.mark_unvisited(at, self.len);
            return None;
        }
        self.len -= 1;
        self.entries.next()
    }
}
