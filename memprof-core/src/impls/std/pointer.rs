//! Pointers that own nothing: references, raw pointers and functions are not followed.
#![expect(coherence_leak_check, reason = "`fn(&A)` and `fn(A)` are different types")]

use crate::impls::std::scalar::impl_flat;
use core::ptr::NonNull;

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
