//! Maps and sets of any crate, in two parts: their entries, and everything else.
//!
//! `keyed` names the entries, `each` visits them by a function, and a plain visit adds them at
//! once. So a map or set is described by one function, which adds everything except the entries. Its
//! second argument is true if the walk visits the entries too. If it is false, reading an entry may
//! cost a cache miss that the walk would not have otherwise. The nodes of a B-tree are counted while
//! its entries are visited, so B-trees have functions of their own.

use crate::MemoryProfile;
use crate::shape::Position;
use crate::walk::Walk;

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
/// type in brackets. The function adds everything in a map except its keys and values.
///
/// Impls of `Keyed` are not in the macro, which would appear in the compiler's messages about keys.
macro_rules! maps {
    ($([$($param:tt)*] $map:ty: $add_but_entries:path;)*) => {$(
        const _: () = {
            use crate::MemoryProfile;
            use crate::impls::parts::add_pairs;
            use crate::layout::word::WithFunction;
            use crate::walk::{Each, Position, Walk};

            impl<$($param)*> MemoryProfile for $map
            where
                K: MemoryProfile,
                V: MemoryProfile,
            {
                fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                    if walk.defers(self, at) {
                        return;
                    }
                    $add_but_entries(self, !(K::is_flat() && V::is_flat()), walk, at);
                    add_pairs(self.iter(), self.len(), walk, at);
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
                    $add_but_entries(self, true, walk, at);
                    let with = |(key, value)| (key, WithFunction::of(value, profile));
                    add_pairs(self.iter().map(with), self.len(), walk, at);
                }
            }
        };
    )*};
}

/// Implements `MemoryProfile` and `Each` for sets of `T`, like `maps!`.
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
