//! References to values of any type, sized or not, that the walk visits later.

use crate::position::Position;
use crate::walk::Walk;
use core::mem::MaybeUninit;

/// The words of any reference: an address, and the length of a slice or the address of a vtable.
type Words = MaybeUninit<[*const (); 2]>;

/// A way to visit a value of type `T`.
pub(crate) trait Visit<T: ?Sized> {
    /// Visits the value at a position.
    fn visit<'a>(value: &'a T, walk: &mut Walk<'a>, at: Position);
}

/// A reference with the function that visits its target.
///
/// A `dyn` reference cannot replace this type, because the target may be unsized. A vtable would
/// also make the compiler emit drop code for every type, which doubles the compile time of derived
/// code.
#[derive(Clone, Copy)]
pub(crate) struct Deferred<'a> {
    words: Words,
    visit: unsafe fn(Words, &mut Walk<'a>, Position),
}

impl<'a> Deferred<'a> {
    /// Returns a reference to `value`, which `V` will visit.
    #[inline]
    pub(crate) fn new<V: Visit<T>, T: ?Sized>(value: &'a T) -> Self {
        const { assert!(size_of::<&T>() <= size_of::<Words>(), "a reference has one or two words") }
        let mut words = Words::uninit();
        // SAFETY: a reference fits into the words, as the assertion above checks, and its alignment
        // is that of a pointer.
        unsafe { words.as_mut_ptr().cast::<&'a T>().write(value) };
        Self { words, visit: visit_words::<V, T> }
    }

    /// Visits the value at a position.
    pub(crate) fn visit(self, walk: &mut Walk<'a>, at: Position) {
        // SAFETY: `new` wrote the words of a `&'a T`, and `visit` is `visit_words` of the same `T`.
        unsafe { (self.visit)(self.words, walk, at) }
    }
}

/// Visits the target of a reference.
///
/// # Safety
/// The words contain a `&'a T`.
unsafe fn visit_words<'a, V: Visit<T>, T: ?Sized + 'a>(
    words: Words,
    walk: &mut Walk<'a>,
    at: Position,
) {
    // SAFETY: the caller guarantees that a `&'a T` is in the words.
    let value = unsafe { words.as_ptr().cast::<&'a T>().read() };
    V::visit(value, walk, at);
}
