//! Scalars and other types whose values are payload and own nothing.

/// Implements `MemoryProfile` for types whose inline bytes are `[data]` and that own nothing.
macro_rules! scalars {
    ($($scalar:ty),* $(,)?) => {$(
        impl crate::MemoryProfile for $scalar {
            #[inline]
            fn owned<'a>(&'a self, _: &mut crate::walk::Walk<'a>, _: crate::walk::Position) {}

            #[inline]
            fn is_flat() -> bool {
                true
            }
        }
    )*};
}

pub(crate) use scalars;

scalars! {
    u8, u16, u32, u64, u128, usize,
    i8, i16, i32, i64, i128, isize,
    f32, f64, bool, char, (),
}
