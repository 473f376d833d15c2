//! Casts between a wrapper and what it wraps, where both have one layout by documentation.

use core::mem::ManuallyDrop;
use core::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

/// Returns the same value, as one that the compiler need not know how to drop.
#[inline]
pub(crate) fn undropped<T>(value: &T) -> &ManuallyDrop<T> {
    // SAFETY: `ManuallyDrop<T>` is a transparent wrapper of `T`, and nothing can be moved out of a
    // shared reference to it.
    unsafe { &*(&raw const *value).cast::<ManuallyDrop<T>>() }
}

/// A pointer that can be read inside a `Pin`.
///
/// # Safety
/// Nothing reachable through a shared reference to the pointer moves what it points to.
pub(crate) unsafe trait Immovable {}

// SAFETY: a shared reference to a box gives shared references to its value, and nothing else.
unsafe impl<T: ?Sized> Immovable for Box<T> {}
// SAFETY: as for a box; `Rc::get_mut` and its like need the pointer itself.
unsafe impl<T: ?Sized> Immovable for Rc<T> {}
// SAFETY: as for `Rc`.
unsafe impl<T: ?Sized> Immovable for Arc<T> {}

/// Returns the pointer in a `Pin`.
pub(crate) fn unpinned<P: Immovable>(pin: &Pin<P>) -> &P {
    let pointer = (&raw const *pin).cast::<P>();
    // SAFETY: `Pin` is `repr(transparent)` over its pointer, as std documents, so the reference is
    // to a valid `P`. It is shared, and `Immovable` says that the pointee stays where it is.
    unsafe { &*pointer }
}
