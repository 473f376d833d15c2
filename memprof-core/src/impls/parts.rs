//! The parts of maps and sets of any crate: their entries, and everything else.
//!
//! `keyed` names the entries, `each` visits them by a function, and a plain visit adds them at once.
//! So a collection describes its parts, and does not choose between these.

use crate::MemoryProfile;
use crate::shape::Position;
use crate::walk::Walk;

/// A map that the walk can add in two parts: its entries, and everything else.
///
/// [`add_parts`] adds the whole map, `keyed::add_keyed_parts` names its entries, and `each`
/// profiles its values by a function. The nodes of a B-tree are counted while its entries are
/// visited, so for B-trees only `keyed` uses this trait.
pub(crate) trait MapParts {
    /// The type of the keys.
    type Key;
    /// The type of the values.
    type Value;
    /// True if the entries come in the order of their keys.
    const IS_SORTED: bool = false;

    /// Returns the number of entries.
    fn entry_count(&self) -> usize;

    /// Returns the keys and values.
    fn entries(&self) -> impl Iterator<Item = (&Self::Key, &Self::Value)>;

    /// Adds everything in the map except its keys and values.
    ///
    /// `visits_entries` is true if the walk visits the entries too. If it is false, reading an
    /// entry may cost a cache miss that the walk would not have otherwise.
    fn add_but_entries(&self, visits_entries: bool, walk: &mut Walk<'_>, at: Position);
}

/// Adds a map with its keys and values.
#[inline]
pub(crate) fn add_parts<'a, M>(map: &'a M, walk: &mut Walk<'a>, at: Position)
where
    M: MapParts<Key: MemoryProfile, Value: MemoryProfile>,
{
    map.add_but_entries(!(M::Key::is_flat() && M::Value::is_flat()), walk, at);
    add_pairs(map.entries(), map.entry_count(), walk, at);
}

/// A set that the walk can add in two parts: its values, and everything else.
///
/// [`add_set`] adds the whole set, and `each` profiles its values by a function. The nodes of a
/// B-tree are counted while its values are visited, so B-trees do not use this trait.
pub(crate) trait SetParts {
    /// The type of the values.
    type Value;

    /// Returns the values.
    fn values(&self) -> impl ExactSizeIterator<Item = &Self::Value>;

    /// Adds everything in the set except its values.
    ///
    /// `visits_values` is true if the walk visits the values too. If it is false, reading a value
    /// may cost a cache miss that the walk would not have otherwise.
    fn add_but_values(&self, visits_values: bool, walk: &mut Walk<'_>, at: Position);
}

/// Adds a set with its values.
#[inline]
pub(crate) fn add_set<'a, S>(set: &'a S, walk: &mut Walk<'a>, at: Position)
where
    S: SetParts<Value: MemoryProfile>,
{
    set.add_but_values(!S::Value::is_flat(), walk, at);
    let values = set.values();
    let count = values.len();
    add_values(values, count, walk, at);
}

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
