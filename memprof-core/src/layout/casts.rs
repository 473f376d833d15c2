//! Casts between a wrapper and the wrapped type, which have the same layout: those that std documents,
//! and a wrapper that combines a value with the function that profiles it.
//!
//! With the latter, the walk visits values without an impl like any others: in slices, behind
//! pointers and from the work list.

use crate::MemoryProfile;
use crate::position::Position;
use crate::walk::Walk;
use core::marker::PhantomData;
use core::pin::Pin;
use core::ptr::NonNull;
use std::rc::Rc;
use std::sync::Arc;

/// A pointer type that may be read inside a `Pin`.
///
/// # Safety
/// Nothing reachable through a shared reference to the pointer moves the pointee.
pub(crate) unsafe trait Immovable {}

// SAFETY: a shared reference to a box only gives shared references to its value.
unsafe impl<T: ?Sized> Immovable for Box<T> {}
// SAFETY: as for a box; `Rc::get_mut` and similar functions need a unique reference to the pointer.
unsafe impl<T: ?Sized> Immovable for Rc<T> {}
// SAFETY: as for `Rc`.
unsafe impl<T: ?Sized> Immovable for Arc<T> {}

/// Returns the pointer in a `Pin`.
pub(crate) fn pin_as_inner<P: Immovable>(pin: &Pin<P>) -> &P {
    let pointer = (&raw const *pin).cast::<P>();
    // SAFETY: `Pin` is `repr(transparent)` over its pointer, as std documents, so the reference is
    // to a valid `P`. It is shared, and `Immovable` guarantees that the pointee does not move.
    unsafe { &*pointer }
}

/// A function that adds what a `T` owns.
pub(crate) trait ProfileFunction<T>: Copy {
    /// Adds what `value` owns outside its inline bytes.
    fn profile<'a>(self, value: &'a T, walk: &mut Walk<'a>, at: Position)
    where
        Self: 'a;
}

/// A `T` that the function `F` profiles. `F` has no bytes.
#[repr(transparent)]
pub(crate) struct WithFunction<T, F> {
    value: T,
    function: PhantomData<F>,
}

impl<T, F: ProfileFunction<T>> WithFunction<T, F> {
    /// Fails to compile if `F` has bytes, as a function pointer has.
    const IS_ZERO_SIZED: () =
        assert!(size_of::<F>() == 0, "expected the name of a function, not a pointer to one");

    /// Casts a value to this type, with the function that profiles it.
    #[inline]
    pub(crate) fn of(value: &T, _: F) -> &Self {
        let () = Self::IS_ZERO_SIZED;
        // SAFETY: `WithFunction` is a transparent wrapper of `T`, and nothing can be moved out of a
        // shared reference to it.
        unsafe { &*(&raw const *value).cast::<Self>() }
    }

    /// Casts a slice of values like [`of`](Self::of).
    #[inline]
    pub(crate) fn of_slice(values: &[T], _: F) -> &[Self] {
        let () = Self::IS_ZERO_SIZED;
        let start = values.as_ptr().cast::<Self>();
        // SAFETY: as in `of`. A slice of a transparent wrapper has the layout of a slice of the
        // wrapped type.
        unsafe { core::slice::from_raw_parts(start, values.len()) }
    }

    /// Returns the function.
    #[inline]
    fn function() -> F {
        let () = Self::IS_ZERO_SIZED;
        // SAFETY: a read of no bytes is valid at every aligned address that is not null. Only `of`
        // and `of_slice` return this type, and they take an `F`. So an `F` exists, and `F` is
        // `Copy`.
        unsafe { NonNull::<F>::dangling().read() }
    }
}

impl<T, F: ProfileFunction<T>> MemoryProfile for WithFunction<T, F> {
    #[inline]
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        Self::function().profile(&self.value, walk, at);
    }
}
