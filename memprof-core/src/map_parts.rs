//! The trait that gives access to the parts of a map: its entries, and everything else.

use crate::MemoryProfile;
use crate::impls::std::entries::add_pairs;
use crate::walk::{Position, Walk};

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
