//! Numbers with a restriction or special arithmetic: nonzero, wrapping, saturating or atomic.

use crate::impls::std::primitive::scalars;
use crate::impls::std::wrapper::wrappers;
use core::num::{NonZero, Saturating, Wrapping};
use core::sync::atomic::{
    AtomicBool, AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicPtr, AtomicU8,
    AtomicU16, AtomicU32, AtomicU64, AtomicUsize,
};

scalars! {
    NonZero<u8>, NonZero<u16>, NonZero<u32>, NonZero<u64>, NonZero<u128>, NonZero<usize>,
    NonZero<i8>, NonZero<i16>, NonZero<i32>, NonZero<i64>, NonZero<i128>, NonZero<isize>,
}

#[cfg(memprof_since_1_89)]
scalars! { NonZero<char> }

#[cfg(target_has_atomic = "8")]
scalars! { AtomicBool, AtomicU8, AtomicI8 }
#[cfg(target_has_atomic = "16")]
scalars! { AtomicU16, AtomicI16 }
#[cfg(target_has_atomic = "32")]
scalars! { AtomicU32, AtomicI32 }
#[cfg(target_has_atomic = "64")]
scalars! { AtomicU64, AtomicI64 }
#[cfg(target_has_atomic = "ptr")]
scalars! { AtomicUsize, AtomicIsize }
#[cfg(target_has_atomic = "ptr")]
crate::impls::std::flat::impl_flat! { [T] AtomicPtr<T>; }

wrappers! {
    Wrapping: |wrapping| &wrapping.0;
    Saturating: |saturating| &saturating.0;
}
