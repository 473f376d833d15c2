//! Types whose values never own memory: numbers, times, addresses, sockets, markers and hashers.

use crate::impls::std::wrapper::wrappers;
use core::alloc::Layout;
use core::any::TypeId;
use core::cmp::Ordering;
use core::convert::Infallible;
use core::marker::{PhantomData, PhantomPinned};
use core::num::{FpCategory, NonZero, Saturating, Wrapping};
use core::sync::atomic;
use core::sync::atomic::{
    AtomicBool, AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicIsize, AtomicPtr, AtomicU8,
    AtomicU16, AtomicU32, AtomicU64, AtomicUsize,
};
use std::hash::{BuildHasherDefault, DefaultHasher, RandomState};
use std::net::{
    IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, SocketAddrV4, SocketAddrV6, TcpListener,
    TcpStream, UdpSocket,
};
use std::time::{Duration, Instant, SystemTime};

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
impl_flat! { [T] AtomicPtr<T>; }

wrappers! {
    Wrapping: |wrapping| &wrapping.0;
    Saturating: |saturating| &saturating.0;
}

scalars! { Duration, Instant, SystemTime }

scalars! { Ipv4Addr, Ipv6Addr, IpAddr, SocketAddrV4, SocketAddrV6, SocketAddr }

impl_flat! {
    [] Shutdown;
    [] TcpListener;
    [] TcpStream;
    [] UdpSocket;
}

#[cfg(unix)]
impl_flat! {
    [] std::os::unix::net::SocketAddr;
    [] std::os::unix::net::UnixDatagram;
    [] std::os::unix::net::UnixListener;
    [] std::os::unix::net::UnixStream;
}

impl_flat! {
    [T: ?Sized] PhantomData<T>;
    [] PhantomPinned;
    [] Infallible;
    [] Ordering;
    [] atomic::Ordering;
    [] FpCategory;
    [] Layout;
    [] TypeId;
    [] core::panic::Location<'_>;
    [] core::fmt::Error;
}

impl_flat! {
    [H] BuildHasherDefault<H>;
    [] DefaultHasher;
    [] RandomState;
}
