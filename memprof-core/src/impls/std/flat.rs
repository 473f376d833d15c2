//! Types whose values never own memory and whose inline bytes are one `[inline]` leaf.

/// Implements `MemoryProfile` for such types. Generic parameters precede the type in brackets.
macro_rules! impl_flat {
    ($([$($generics:tt)*] $flat:ty;)*) => {$(
        impl<$($generics)*> crate::MemoryProfile for $flat {
            #[inline]
            fn owned<'a>(&'a self, _: &mut crate::walk::Walk<'a>, _: crate::walk::Position) {}

            #[inline]
            fn is_flat() -> bool {
                true
            }
        }
    )*};
}

pub(crate) use impl_flat;
