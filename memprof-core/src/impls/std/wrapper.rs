//! Wrappers of one value that are profiled as that value.

use core::cmp::Reverse;
use core::mem::ManuallyDrop;
use std::panic::AssertUnwindSafe;

/// Implements `MemoryProfile` for wrappers with one type parameter that have the layout of their
/// value.
macro_rules! wrappers {
    ($($wrapper:ident: |$name:ident| $value:expr;)*) => {$(
        impl<T: crate::MemoryProfile> crate::MemoryProfile for $wrapper<T> {
            #[inline]
            fn owned<'a>(&'a self, walk: &mut crate::walk::Walk<'a>, at: crate::walk::Position) {
                let $name = self;
                T::owned($value, walk, at);
            }

            fn pointee<'a>(&'a self, walk: &mut crate::walk::Walk<'a>, at: crate::walk::Position) {
                let $name = self;
                T::pointee($value, walk, at);
            }

            fn shape() -> &'static crate::walk::Shape {
                const {
                    assert!(size_of::<Self>() == size_of::<T>(), "a wrapper adds no bytes");
                    &crate::walk::Shape::values::<Self>(T::shape, 1)
                }
            }

            #[inline]
            fn is_flat() -> bool {
                T::is_flat()
            }
        }
    )*};
}

pub(crate) use wrappers;

wrappers! {
    Reverse: |reverse| &reverse.0;
    ManuallyDrop: |value| value;
    AssertUnwindSafe: |value| &value.0;
}
