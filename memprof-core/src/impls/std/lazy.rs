//! `LazyCell` and `LazyLock`: the value once it is there, until then the closure that makes it.

use crate::{At, MemoryProfile, Opaque, Walk};
use std::cell::LazyCell;
use std::sync::LazyLock;

macro_rules! lazies {
    ($($lazy:ident)*) => {$(
        impl<T: MemoryProfile, F> MemoryProfile for $lazy<T, F> {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
                match $lazy::get(self) {
                    Some(value) => value.owned(walk, at),
                    None if core::mem::needs_drop::<F>() => walk.opaque(at, Opaque::Foreign),
                    None => {}
                }
            }

            fn is_flat() -> bool {
                T::is_flat() && !core::mem::needs_drop::<F>()
            }
        }
    )*};
}

lazies! { LazyCell LazyLock }
