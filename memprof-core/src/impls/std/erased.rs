//! Trait objects of foreign traits. Their inline bytes are known, but not what they own.
#![expect(coherence_leak_check, reason = "`dyn Fn(&A)` and `dyn Fn(A)` are different types")]

use crate::MemoryProfile;
use crate::impls::std::opaque::impl_opaque;
use crate::tree::OpaqueReason;
use crate::walk::{Position, Walk};
use core::any::Any;
use core::cell::UnsafeCell;
use core::error::Error;
use core::future::Future;
use core::mem::MaybeUninit;

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
