//! The types of elements.

use core::fmt::Debug;
use half::{bf16, f16};

/// A type of tensor elements.
pub trait Element: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// The name of the type in tables.
    const DTYPE: &'static str;

    /// Returns the nearest value of this type.
    fn from_f32(value: f32) -> Self;

    /// Converts to `f32`.
    fn to_f32(self) -> f32;

    /// Returns the bits, by which results are compared.
    fn bits(self) -> u32;
}

impl Element for f32 {
    const DTYPE: &'static str = "f32";

    #[inline]
    fn from_f32(value: f32) -> Self {
        value
    }

    #[inline]
    fn to_f32(self) -> f32 {
        self
    }

    fn bits(self) -> u32 {
        self.to_bits()
    }
}

/// Implements types of half the width. Their results are the results of `f32`, rounded.
macro_rules! halves {
    ($($half:ident)*) => {$(
        impl Element for $half {
            const DTYPE: &'static str = stringify!($half);

            #[inline]
            fn from_f32(value: f32) -> Self {
                $half::from_f32(value)
            }

            #[inline]
            fn to_f32(self) -> f32 {
                $half::to_f32(self)
            }

            fn bits(self) -> u32 {
                self.to_bits().into()
            }
        }
    )*};
}

halves! { f16 bf16 }

/// Returns elements with a magnitude from 0.5 to 1.5 and either sign. So no kernel is faster
/// because of zeros, and no quotient is huge. Equal seeds give equal elements.
pub fn random<T: Element>(elements: usize, seed: u64) -> Vec<T> {
    // Marsaglia's xorshift64*.
    let mut state = seed ^ 0x9E37_79B9_7F4A_7C15;
    let mut next = || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        let bits = state.wrapping_mul(0x2545_F491_4F6C_DD1D);
        let magnitude = 0.5 + f32::from((bits >> 48) as u16) / 65_536.0;
        T::from_f32(if bits & 1 == 0 { magnitude } else { -magnitude })
    };
    (0..elements).map(|_| next()).collect()
}
