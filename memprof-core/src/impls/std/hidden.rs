//! The table of types that may own memory which nobody outside can see.

use crate::{At, Opaque, Walk};

/// One row a type, its generic parameters, if any, in brackets before it.
macro_rules! hidden {
    ($([$($generics:tt)*] $hidden:ty;)*) => {$(
        impl<$($generics)*> crate::MemoryProfile for $hidden {
            fn owned<'a>(&'a self, walk: &mut crate::Walk<'a>, at: crate::At) {
                crate::impls::std::hidden::mark_hidden(self, walk, at);
            }
        }
    )*};
}

pub(crate) use hidden;

/// Marks what `value` owns as unseen, unless it can be told that it owns nothing: a value without
/// drop glue has nothing to free, and one without bytes has nothing to free it by.
pub(crate) fn mark_hidden<T: ?Sized>(value: &T, walk: &mut Walk<'_>, at: At) {
    if core::mem::needs_drop::<T>() && size_of_val(value) != 0 {
        walk.opaque(at, Opaque::Foreign);
    }
}
