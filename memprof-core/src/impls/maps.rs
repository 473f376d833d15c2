//! Implements the traits of this crate for maps and sets that the walk adds in two parts.
//!
//! A map of any crate is described by one function, which adds everything in the map except its keys
//! and values.

/// Implements `MemoryProfile` and `Each` for maps from `K` to `V`. The type parameters precede the type
/// in brackets. The function adds everything in a map except its keys and values, like
/// [`MapParts::add_but_entries`](crate::impls::parts::MapParts::add_but_entries).
///
/// Impls of `Keyed` are not in the macro, which would appear in the compiler's messages about keys.
macro_rules! maps {
    ($([$($param:tt)*] $map:ty: $add_but_entries:path;)*) => {$(
        const _: () = {
            use crate::MemoryProfile;
            use crate::impls::parts::MapParts;
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
                    crate::impls::parts::add_parts(self, walk, at);
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
                    crate::attributes::add_map(self, profile, walk, at);
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
            use crate::impls::parts::SetParts;
            use crate::walk::{Each, Position, Walk};

            impl<$($param)*> SetParts for $set {
                type Value = T;

                fn values(&self) -> impl ExactSizeIterator<Item = &T> {
                    self.iter()
                }

                fn add_but_values(&self, visits: bool, walk: &mut Walk<'_>, at: Position) {
                    $add_but_values(self, visits, walk, at);
                }
            }

            impl<$($param)*> MemoryProfile for $set
            where
                T: MemoryProfile,
            {
                fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                    if walk.defers(self, at) {
                        return;
                    }
                    crate::impls::parts::add_set(self, walk, at);
                }
            }

            impl<$($param)*> Each for $set {
                type Element = T;

                fn each<'a, P>(&'a self, profile: P, walk: &mut Walk<'a>, at: Position)
                where
                    P: for<'w> Fn(&'w T, &mut Walk<'w>, Position) + Copy + 'a,
                {
                    crate::attributes::add_set(self, profile, walk, at);
                }
            }
        };
    )*};
}

pub(crate) use {maps, sets};
