//! Values to put into containers: scalars of every size and alignment, tuples, options.

use crate::random::Random;
use memprof::MemoryProfile;
use memprof::walk::{Position, Walk};
use std::borrow::Cow;
use std::cmp::Reverse;
use std::hash::Hash;
use std::num::Wrapping;
use std::ops::{Bound, ControlFlow, Range, RangeInclusive};
use std::task::Poll;

/// A type with random values.
pub(crate) trait Value: MemoryProfile + Clone + 'static {
    fn random(random: &mut Random) -> Self;

    fn several(random: &mut Random) -> Vec<Self> {
        let len = random.len();
        (0..len).map(|_| Self::random(random)).collect()
    }
}

/// A value that may be a key of maps.
pub(crate) trait Key: Value + Ord + Hash {}

impl<T: Value + Ord + Hash> Key for T {}

macro_rules! scalars {
    ($($scalar:ty)*) => {$(
        impl Value for $scalar {
            fn random(random: &mut Random) -> Self {
                random.next() as Self
            }
        }
    )*};
}

scalars! { u8 u16 u32 u64 usize i32 i64 f64 }

macro_rules! made_of_a_number {
    ($($made:ty: $make:expr;)*) => {$(
        impl Value for $made {
            fn random(random: &mut Random) -> Self {
                ($make)(random.next())
            }
        }
    )*};
}

made_of_a_number! {
    (): |_| ();
    bool: |bits| bits & 1 == 0;
    char: |bits| char::from(bits as u8);
    u128: |bits| u128::from(bits) << 17;
    [u8; 3]: |bits: u64| [bits as u8, 1, 2];
    std::num::NonZeroU32: |bits| std::num::NonZeroU32::MIN.saturating_add(bits as u32);
    &'static str: |_| "not owned";
    fn() -> u64: |_| u64::default;
    std::time::Duration: std::time::Duration::from_nanos;
    std::marker::PhantomData<Vec<u8>>: |_| std::marker::PhantomData;
    std::net::IpAddr: |bits: u64| std::net::Ipv6Addr::from_bits(bits.into()).into();
}

/// A value that needs more alignment than the allocator provides by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(align(64))]
pub(crate) struct Aligned(u16);

/// A value without size that needs alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(align(32))]
pub(crate) struct AlignedNothing;

macro_rules! flat {
    ($($flat:ty: $make:expr;)*) => {$(
        impl MemoryProfile for $flat {
            fn owned<'a>(&'a self, _: &mut Walk<'a>, _: Position) {}

            fn is_flat() -> bool {
                true
            }
        }

        impl Value for $flat {
            fn random(random: &mut Random) -> Self {
                ($make)(random.next())
            }
        }
    )*};
}

flat! {
    Aligned: |bits| Aligned(bits as u16);
    AlignedNothing: |_| AlignedNothing;
}

macro_rules! tuples {
    ($(($($member:ident)+))*) => {$(
        impl<$($member: Value),+> Value for ($($member,)+) {
            fn random(random: &mut Random) -> Self {
                ($($member::random(random),)+)
            }
        }
    )*};
}

tuples! { (A) (A B) (A B C) (A B C D) }

impl<T: Value, const N: usize> Value for [T; N]
where
    Self: NotBytes,
{
    fn random(random: &mut Random) -> Self {
        std::array::from_fn(|_| T::random(random))
    }
}

/// Arrays that are not in the table of scalars above.
pub(crate) trait NotBytes {}

impl<T: Value> NotBytes for [T; 0] {}
impl<T: Value> NotBytes for [T; 2] {}

impl<T: Value> Value for Option<T> {
    fn random(random: &mut Random) -> Self {
        (random.below(4) != 0).then(|| T::random(random))
    }
}

impl<T: Value, E: Value> Value for Result<T, E> {
    fn random(random: &mut Random) -> Self {
        if random.flip() { Ok(T::random(random)) } else { Err(E::random(random)) }
    }
}

impl<B: Value, C: Value> Value for ControlFlow<B, C> {
    fn random(random: &mut Random) -> Self {
        if random.flip() {
            Self::Break(B::random(random))
        } else {
            Self::Continue(C::random(random))
        }
    }
}

impl<T: Value> Value for Poll<T> {
    fn random(random: &mut Random) -> Self {
        if random.flip() { Self::Ready(T::random(random)) } else { Self::Pending }
    }
}

impl<T: Value> Value for Bound<T> {
    fn random(random: &mut Random) -> Self {
        match random.below(3) {
            0 => Self::Unbounded,
            1 => Self::Included(T::random(random)),
            _ => Self::Excluded(T::random(random)),
        }
    }
}

impl<T: Value> Value for Range<T> {
    fn random(random: &mut Random) -> Self {
        T::random(random)..T::random(random)
    }
}

impl<T: Value> Value for RangeInclusive<T> {
    fn random(random: &mut Random) -> Self {
        T::random(random)..=T::random(random)
    }
}

impl<T: Value> Value for Reverse<T> {
    fn random(random: &mut Random) -> Self {
        Self(T::random(random))
    }
}

impl<T: Value> Value for Wrapping<T> {
    fn random(random: &mut Random) -> Self {
        Self(T::random(random))
    }
}

impl<T: Value> Value for Cow<'static, [T]> {
    fn random(random: &mut Random) -> Self {
        if random.flip() { Cow::Borrowed(&[]) } else { Cow::Owned(Vec::random(random)) }
    }
}

impl Value for Cow<'static, str> {
    fn random(random: &mut Random) -> Self {
        if random.flip() { Cow::Borrowed("borrowed") } else { Cow::Owned(String::random(random)) }
    }
}
