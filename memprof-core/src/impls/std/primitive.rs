//! Scalars and other types whose values are payload and own nothing.

use crate::{At, Kind, MemoryProfile, Walk};

/// Types whose own bytes are `[data]` and that own nothing else.
macro_rules! scalars {
    ($($scalar:ty),* $(,)?) => {$(
        impl MemoryProfile for $scalar {
            #[inline]
            fn owned<'a>(&'a self, _: &mut Walk<'a>, _: At) {}

            fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
                Self::inline(walk, at, 1);
            }

            #[inline]
            fn inline(walk: &mut Walk<'_>, at: At, count: usize) {
                walk.leaf(at, Kind::Data, count * size_of::<Self>());
            }

            #[inline]
            fn is_flat() -> bool {
                true
            }
        }
    )*};
}

scalars! {
    u8, u16, u32, u64, u128, usize,
    i8, i16, i32, i64, i128, isize,
    f32, f64, bool, char, (),
}
