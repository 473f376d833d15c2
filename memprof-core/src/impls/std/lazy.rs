//! `LazyCell` and `LazyLock`: the value once it is initialized, and before that the closure that
//! makes it.
//!
//! Before Rust 1.94 the value cannot be read without initializing it, so it is opaque.

#![cfg_attr(
    memprof_since_1_94,
    expect(clippy::incompatible_msrv, reason = "only newer compilers compile this")
)]

use crate::MemoryProfile;
use crate::tree::OpaqueReason;
use crate::walk::{Position, Walk};
use std::cell::LazyCell;
use std::sync::LazyLock;

macro_rules! lazies {
    ($($lazy:ident)*) => {$(
        impl<T: MemoryProfile, F> MemoryProfile for $lazy<T, F> {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                #[cfg(memprof_since_1_94)]
                if let Some(value) = $lazy::get(self) {
                    value.owned(walk, at);
                    return;
                }
                let is_hidden = cfg!(not(memprof_since_1_94)) && !T::is_flat();
                if is_hidden || core::mem::needs_drop::<F>() {
                    walk.opaque(at, OpaqueReason::Foreign);
                }
            }

            fn is_flat() -> bool {
                T::is_flat() && !core::mem::needs_drop::<F>()
            }
        }
    )*};
}

lazies! { LazyCell LazyLock }
