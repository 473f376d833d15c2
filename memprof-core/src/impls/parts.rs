//! The parts of maps and sets of any crate: their entries, and everything else.
//!
//! `keyed` names the entries, `each` visits them by a function, and a plain visit adds them at
//! once. So a collection describes its parts, and does not choose between these. A map of any crate
//! is described by one function, which adds everything in the map except its keys and values.

use crate::MemoryProfile;
use crate::shape::Position;
use crate::walk::Walk;

/// A map that the walk can add in two parts: its entries, and everything else.
///
/// [`add_map`] adds the whole map, and `add_keyed_parts` names its entries. The nodes of a B-tree
/// are counted while its entries are visited, so for B-trees only `keyed` uses this trait.
pub(crate) trait MapParts {
    type Key;
    type Value;
    const IS_SORTED: bool = false;

    fn entry_count(&self) -> usize;

    fn entries(&self) -> impl Iterator<Item = (&Self::Key, &Self::Value)>;

    /// `visits_entries` is true if the walk visits the entries too. If it is false, reading an
    /// entry may cost a cache miss that the walk would not have otherwise.
    fn add_but_entries(&self, visits_entries: bool, walk: &mut Walk<'_>, at: Position);
}

/// `value` returns what the walk visits: a value, or a value with the function that profiles it.
#[inline]
pub(crate) fn add_map<'a, M, V>(
    map: &'a M,
    value: impl Fn(&'a M::Value) -> &'a V,
    walk: &mut Walk<'a>,
    at: Position,
) where
    M: MapParts<Key: MemoryProfile>,
    V: MemoryProfile + 'a,
{
    map.add_but_entries(!(M::Key::is_flat() && V::is_flat()), walk, at);
    let entries = map.entries().map(|(key, one)| (key, value(one)));
    add_pairs(entries, map.entry_count(), walk, at);
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

/// Implements `MemoryProfile` and `Each` for maps from `K` to `V`. The type parameters precede the
/// type in brackets. The function adds everything in a map except its keys and values, like
/// [`MapParts::add_but_entries`](MapParts::add_but_entries).
///
/// Impls of `Keyed` are not in the macro, which would appear in the compiler's messages about keys.
macro_rules! maps {
    ($([$($param:tt)*] $map:ty: $add_but_entries:path;)*) => {$(
        const _: () = {
            use crate::MemoryProfile;
            use crate::impls::parts::MapParts;
            use crate::layout::word::WithFunction;
            use crate::walk::{Each, Position, Walk};

            impl<$($param)*> MapParts for $map {
                type Key = K;
                type Value = V;

                fn entry_count(&self) -> usize {
                    self.len()
                }

                fn entries(&self) -> impl Iterator<Item = (&K, &V)> {
                    self.iter()
                }

                fn add_but_entries(&self, visits: bool, walk: &mut Walk<'_>, at: Position) {
                    $add_but_entries(self, visits, walk, at);
                }
            }

            impl<$($param)*> MemoryProfile for $map
            where
                K: MemoryProfile,
                V: MemoryProfile,
            {
                fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                    if walk.defers(self, at) {
                        return;
                    }
                    crate::impls::parts::add_map(self, |value| value, walk, at);
                }
            }

            impl<$($param)*> Each for $map
            where
                K: MemoryProfile,
            {
                type Element = V;

                fn each<'a, P>(&'a self, profile: P, walk: &mut Walk<'a>, at: Position)
                where
                    P: for<'w> Fn(&'w V, &mut Walk<'w>, Position) + Copy + 'a,
                {
                    let with = |value| WithFunction::of(value, profile);
                    crate::impls::parts::add_map(self, with, walk, at);
                }
            }
        };
    )*};
}

/// Implements `MemoryProfile` and `Each` for sets of `T`. The function adds everything in a set except
/// its values. Its second argument is like that of [`MapParts::add_but_entries`].
macro_rules! sets {
    ($([$($param:tt)*] $set:ty: $add_but_values:path;)*) => {$(
        const _: () = {
            use crate::MemoryProfile;
            use crate::impls::parts::add_values;
            use crate::layout::word::WithFunction;
            use crate::walk::{Each, Position, Walk};

            impl<$($param)*> MemoryProfile for $set
            where
                T: MemoryProfile,
            {
                fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                    if walk.defers(self, at) {
                        return;
                    }
                    $add_but_values(self, !T::is_flat(), walk, at);
                    add_values(self.iter(), self.len(), walk, at);
                }
            }

            impl<$($param)*> Each for $set {
                type Element = T;

                fn each<'a, P>(&'a self, profile: P, walk: &mut Walk<'a>, at: Position)
                where
                    P: for<'w> Fn(&'w T, &mut Walk<'w>, Position) + Copy + 'a,
                {
                    $add_but_values(self, true, walk, at);
                    let values = self.iter().map(|value| WithFunction::of(value, profile));
                    add_values(values, self.len(), walk, at);
                }
            }
        };
    )*};
}

pub(crate) use {maps, sets};
