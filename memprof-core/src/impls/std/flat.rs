//! The table of types whose values never own memory and whose own bytes are one `[inline]` leaf.

/// One row a type, its generic parameters, if any, in brackets before it.
macro_rules! flat {
    ($([$($generics:tt)*] $flat:ty;)*) => {$(
        impl<$($generics)*> crate::MemoryProfile for $flat {
            #[inline]
            fn owned<'a>(&'a self, _: &mut crate::Walk<'a>, _: crate::At) {}

            #[inline]
            fn is_flat() -> bool {
                true
            }
        }
    )*};
}

pub(crate) use flat;
