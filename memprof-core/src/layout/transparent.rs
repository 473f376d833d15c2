//! Casts from a wrapper to the wrapped type, where std documents that both have the same layout.

use core::pin::Pin;
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
