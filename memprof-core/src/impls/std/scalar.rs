//! Types whose values never own memory: numbers, times, addresses, sockets, markers, hashers, pointers and
//! functions. Values of erased types do not expose what they own, so they are opaque.
#![expect(coherence_leak_check, reason = "a function of `&A` and one of `A` are different types")]

use crate::MemoryProfile;
use crate::impls::std::wrapper::wrappers;
use crate::tree::OpaqueReason;
use crate::walk::{Position, Walk};
use core::alloc::Layout;
use core::any::{Any, TypeId};
use core::cell::UnsafeCell;
use core::cmp::Ordering;
use core::convert::Infallible;
use core::error::Error;
use core::future::Future;
use core::marker::{PhantomData, PhantomPinned};
use core::mem::{Discriminant, MaybeUninit};
use core::num::{FpCategory, NonZero, Saturating, Wrapping};
use core::ptr::NonNull;
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

impl_flat! { Shutdown, TcpListener, TcpStream, UdpSocket }

#[cfg(unix)]
impl_flat! {
    std::os::unix::net::SocketAddr, std::os::unix::net::UnixDatagram,
    std::os::unix::net::UnixListener, std::os::unix::net::UnixStream,
}

impl_flat! {
    PhantomPinned, Infallible, Ordering, atomic::Ordering, FpCategory, Layout, TypeId,
    core::panic::Location<'_>, core::fmt::Error,
}

impl_flat! {
    [T: ?Sized] PhantomData<T>;
    [T] Discriminant<T>;
}

impl_flat! { DefaultHasher, RandomState }

impl_flat! {
    [H] BuildHasherDefault<H>;
}

impl_flat! {
    [T: ?Sized] &T;
    [T: ?Sized] &mut T;
    [T: ?Sized] *const T;
    [T: ?Sized] *mut T;
    [T: ?Sized] NonNull<T>;
}

/// Implements `MemoryProfile` for functions with the given number of parameters, safe and unsafe,
/// with the Rust and the C ABI.
macro_rules! functions {
    ($(($($parameter:ident)*))*) => {
        impl_flat! {$(
            [R $(, $parameter)*] fn($($parameter),*) -> R;
            [R $(, $parameter)*] unsafe fn($($parameter),*) -> R;
            [R $(, $parameter)*] extern "C" fn($($parameter),*) -> R;
            [R $(, $parameter)*] unsafe extern "C" fn($($parameter),*) -> R;
        )*}
    };
}

functions! {
    ()
    (A)
    (A B)
    (A B C)
    (A B C D)
    (A B C D E)
    (A B C D E F)
    (A B C D E F G)
    (A B C D E F G H)
    (A B C D E F G H I)
    (A B C D E F G H I J)
    (A B C D E F G H I J K)
    (A B C D E F G H I J K L)
}

impl_flat! {
    [R, A: ?Sized] fn(&A) -> R;
    [R, A: ?Sized] fn(&mut A) -> R;
}

/// Implements `MemoryProfile` for such types. Generic parameters precede the type in brackets.
macro_rules! impl_opaque {
    ($([$($generics:tt)*] $opaque:ty;)*) => {$(
        impl<$($generics)*> crate::MemoryProfile for $opaque {
            fn owned<'a>(&'a self, walk: &mut crate::walk::Walk<'a>, at: crate::walk::Position) {
                crate::impls::std::scalar::mark_opaque(self, walk, at);
            }
        }
    )*};
}

pub(crate) use impl_opaque;

/// A value without drop glue frees nothing, and a zero-sized value has no pointer to memory.
pub(crate) fn mark_opaque<T: ?Sized>(value: &T, walk: &mut Walk<'_>, at: Position) {
    if core::mem::needs_drop::<T>() && size_of_val(value) != 0 {
        walk.opaque(at, OpaqueReason::Foreign);
    }
}

/// Marks a private hasher as opaque, unless it cannot own anything.
#[cfg(any(feature = "lru019", feature = "slotmap1"))]
pub(crate) fn mark_private<T>(walk: &mut Walk<'_>, at: Position) {
    if core::mem::needs_drop::<T>() && size_of::<T>() != 0 {
        walk.opaque(at, OpaqueReason::Foreign);
    }
}

impl_opaque! {
    [T: ?Sized] UnsafeCell<T>;
}

/// Dropping a `MaybeUninit` never drops its value, so the check for drop glue is on the inner type.
impl<T> MemoryProfile for MaybeUninit<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if !Self::is_flat() {
            walk.opaque(at, OpaqueReason::Foreign);
        }
    }

    #[inline]
    fn is_flat() -> bool {
        !core::mem::needs_drop::<T>()
    }
}

/// Implements `MemoryProfile` for trait objects, with each combination of `Send` and `Sync`.
macro_rules! objects {
    ($([$($generics:tt)*] ($($object:tt)+);)*) => {
        impl_opaque! {$(
            [$($generics)*] dyn $($object)+ + '_;
            [$($generics)*] dyn $($object)+ + Send + '_;
            [$($generics)*] dyn $($object)+ + Sync + '_;
            [$($generics)*] dyn $($object)+ + Send + Sync + '_;
        )*}
    };
}

objects! {
    [] (Error);
    [R] (Future<Output = R>);
}

// `Any` requires `'static`.
impl_opaque! {
    [] dyn Any;
    [] dyn Any + Send;
    [] dyn Any + Sync;
    [] dyn Any + Send + Sync;
}

/// Implements `MemoryProfile` for closures with the given number of parameters.
macro_rules! closures {
    ($(($($parameter:ident)*))*) => {
        objects! {$(
            [R $(, $parameter)*] (Fn($($parameter),*) -> R);
            [R $(, $parameter)*] (FnMut($($parameter),*) -> R);
            [R $(, $parameter)*] (FnOnce($($parameter),*) -> R);
        )*}
    };
}

closures! {
    ()
    (A)
    (A B)
    (A B C)
    (A B C D)
    (A B C D E)
    (A B C D E F)
}

// `dyn Fn(&A)`, which accepts any lifetime, is a different type from `dyn Fn(A)`.
objects! {
    [R, A: ?Sized] (Fn(&A) -> R);
    [R, A: ?Sized] (Fn(&mut A) -> R);
    [R, A: ?Sized] (FnMut(&A) -> R);
    [R, A: ?Sized] (FnMut(&mut A) -> R);
    [R, A: ?Sized] (FnOnce(&A) -> R);
    [R, A: ?Sized] (FnOnce(&mut A) -> R);
}
