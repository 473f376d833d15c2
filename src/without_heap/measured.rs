//! A value whose size is not measured.

use core::ops::Deref;
use memprof_core::MemoryProfile;
use memprof_core::tree::OpaqueReason;
use memprof_core::walk::{Position, Walk};

/// A value of a type that hides its memory. With the feature `heap`, memprof measures the bytes
/// that creating the value leaves on the heap. Without the feature, these bytes are unknown.
///
/// # Cost
/// There is no cost: the type has the size of the value.
#[derive(Clone, Debug)]
pub struct Measured<T> {
    value: T,
}

impl<T> Measured<T> {
    /// Makes a value. With the feature `heap`, the bytes that the value leaves on the heap are
    /// measured.
    #[inline]
    pub fn new(make: impl FnOnce() -> T) -> Self {
        Self { value: make() }
    }

    /// Creates a value like [`new`](Self::new), with a function that can fail.
    ///
    /// # Errors
    /// Returns the error from `make`.
    #[inline]
    pub fn try_new<E>(make: impl FnOnce() -> Result<T, E>) -> Result<Self, E> {
        make().map(|value| Self { value })
    }

    /// Changes the value. With the feature `heap`, its measured bytes change too.
    #[inline]
    pub fn update<R>(&mut self, change: impl FnOnce(&mut T) -> R) -> R {
        change(&mut self.value)
    }

    /// Returns `None`, because nothing is measured.
    #[inline]
    pub fn bytes(&self) -> Option<u64> {
        None
    }

    /// Returns the value.
    #[inline]
    pub fn into_inner(self) -> T {
        self.value
    }
}

impl<T> Deref for Measured<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> MemoryProfile for Measured<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.opaque(at, OpaqueReason::NotMeasured);
    }
}
