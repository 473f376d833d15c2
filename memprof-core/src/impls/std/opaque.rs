//! Types that may own private memory.

use crate::tree::OpaqueReason;
use crate::walk::{Position, Walk};

/// Implements `MemoryProfile` for such types. Generic parameters precede the type in brackets.
macro_rules! impl_opaque {
    ($([$($generics:tt)*] $opaque:ty;)*) => {$(
        impl<$($generics)*> crate::MemoryProfile for $opaque {
            fn owned<'a>(&'a self, walk: &mut crate::walk::Walk<'a>, at: crate::walk::Position) {
                crate::impls::std::opaque::mark_opaque(self, walk, at);
            }
        }
    )*};
}

pub(crate) use impl_opaque;

/// Marks what `value` owns as opaque, unless `value` cannot own anything. A value without drop glue
/// frees nothing, and a zero-sized value has no pointer to memory.
pub(crate) fn mark_opaque<T: ?Sized>(value: &T, walk: &mut Walk<'_>, at: Position) {
    if core::mem::needs_drop::<T>() && size_of_val(value) != 0 {
        walk.opaque(at, OpaqueReason::Foreign);
    }
}
