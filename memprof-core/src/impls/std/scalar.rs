//! Types whose values never own memory: numbers, times, addresses, sockets, markers and hashers.

use crate::impls::std::wrapper::wrappers;
use core::alloc::Layout;
use core::any::TypeId;
use core::cmp::Ordering;
use core::convert::Infallible;
use core::marker::{PhantomData, PhantomPinned};
use core::mem::Discriminant;
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

/// Implements `MemoryProfile` for types whose inline bytes are one leaf and that own nothing. Generic
/// parameters precede the type in brackets.
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
    ($($flat:ty),* $(,)?) => {
        crate::impls::std::scalar::impl_flat! { $([] $flat;)* }
    };
}

pub(crate) use impl_flat;

impl_flat! {
    u8, u16, u32, u64, u128, usize,
    i8, i16, i32, i64, i128, isize,
    f32, f64, bool, char, (),
}

impl_flat! {
    NonZero<u8>, NonZero<u16>, NonZero<u32>, NonZero<u64>, NonZero<u128>, NonZero<usize>,
    NonZero<i8>, NonZero<i16>, NonZero<i32>, NonZero<i64>, NonZero<i128>, NonZero<isize>,
}

#[cfg(memprof_since_1_89)]
impl_flat! { NonZero<char> }

#[cfg(target_has_atomic = "8")]
impl_flat! { AtomicBool, AtomicU8, AtomicI8 }
#[cfg(target_has_atomic = "16")]
impl_flat! { AtomicU16, AtomicI16 }
#[cfg(target_has_atomic = "32")]
impl_flat! { AtomicU32, AtomicI32 }
#[cfg(target_has_atomic = "64")]
impl_flat! { AtomicU64, AtomicI64 }
#[cfg(target_has_atomic = "ptr")]
impl_flat! { AtomicUsize, AtomicIsize }
#[cfg(target_has_atomic = "ptr")]
impl_flat! { [T] AtomicPtr<T>; }

wrappers! {
    Wrapping: |wrapping| &wrapping.0;
    Saturating: |saturating| &saturating.0;
}

impl_flat! { Duration, Instant, SystemTime }

impl_flat! { Ipv4Addr, Ipv6Addr, IpAddr, SocketAddrV4, SocketAddrV6, SocketAddr }

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
    [T] Discriminant<T>;
    [] core::panic::Location<'_>;
    [] core::fmt::Error;
}

impl_flat! {
    [H] BuildHasherDefault<H>;
    [] DefaultHasher;
    [] RandomState;
}
