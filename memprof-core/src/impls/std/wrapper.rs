//! Types around one value: transparent wrappers, `Pin`, `Option`, `Result`, `Cow` and `Box`.

use crate::MemoryProfile;
use crate::impls::std::scalar::impl_flat;
use crate::layout::pin_as_inner;
use crate::shape::Position;
use crate::state::Tally;
use crate::walk::Walk;
use core::cmp::Reverse;
use core::mem::ManuallyDrop;
use core::pin::Pin;
use std::borrow::Cow;
use std::panic::AssertUnwindSafe;
use std::rc::Rc;
use std::sync::Arc;

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

/// Implements `MemoryProfile` for types that own only what a value inside owns, if there is one. The
/// expression returns this value.
macro_rules! holders {
    ($([$($generics:tt)*] $holder:ty => $inner:ty: |$name:ident| $value:expr;)*) => {$(
        impl<$($generics)*> crate::MemoryProfile for $holder {
            fn owned<'a>(&'a self, walk: &mut crate::walk::Walk<'a>, at: crate::walk::Position) {
                let $name = self;
                if let Some(value) = $value {
                    crate::MemoryProfile::owned(value, walk, at);
                }
            }

            #[inline]
            fn is_flat() -> bool {
                <$inner as crate::MemoryProfile>::is_flat()
            }
        }
    )*};
}

/// Implements `MemoryProfile` for enums whose variants contain one value. Each variant has a frame.
macro_rules! enums {
    ($([$($generics:tt)*] $enum:ty { $($variant:ident: $inner:ty),+ })*) => {$(
        impl<$($generics)*> crate::MemoryProfile for $enum {
            fn owned<'a>(&'a self, walk: &mut crate::walk::Walk<'a>, at: crate::walk::Position) {
                enum Entry {
                    $($variant),+
                }
                let fields = walk.fields(at, Self::shape());
                match self {
                    $(Self::$variant(value) => value.owned(walk, fields.at(Entry::$variant as u32)),)+
                    #[allow(unreachable_patterns, reason = "other variants own nothing")]
                    _ => {}
                }
            }

            fn shape() -> &'static crate::walk::Shape {
                crate::impls::std::wrapper::frames!($(stringify!($variant)),+)
            }

            #[inline]
            fn is_flat() -> bool {
                $(<$inner as crate::MemoryProfile>::is_flat())&&+
            }
        }
    )*};
}

/// Returns the shape of a type whose inline bytes are one leaf, above frames for what it owns.
macro_rules! frames {
    ($($name:expr),+ $(,)?) => {
        const {
            &crate::walk::Shape::lump::<Self>(const { &[$(crate::walk::Field::frame($name)),+] })
        }
    };
}

pub(crate) use {enums, frames, holders, wrappers};

wrappers! {
    Reverse: |reverse| &reverse.0;
    ManuallyDrop: |value| value;
    AssertUnwindSafe: |value| &value.0;
}

impl_flat! {
    [T: ?Sized] Pin<&T>;
    [T: ?Sized] Pin<&mut T>;
}

macro_rules! pinned {
    ($($pointer:ident)*) => {$(
        impl<T: MemoryProfile + ?Sized> MemoryProfile for Pin<$pointer<T>> {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                pin_as_inner(self).owned(walk, at);
            }

            fn type_name(&self) -> &'static str {
                (**self).type_name()
            }
        }
    )*};
}

pinned! { Box Rc Arc }

impl<T: MemoryProfile> MemoryProfile for Option<T> {
    #[inline]
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if let Some(value) = self {
            value.owned(walk, at);
        }
    }

    #[inline]
    fn tally<'a>(&'a self, tally: &mut Tally, walk: &mut Walk<'a>, at: Position) {
        // The variant is hard to predict, so `None` is counted as an empty value, without a branch.
        if let Some(empty) = T::empty() {
            self.as_ref().unwrap_or(empty).tally(tally, walk, at);
            return;
        }
        let mut own = Tally::new();
        if let Some(value) = self {
            value.tally(&mut own, walk, at);
        }
        tally.merge(own);
    }

    #[inline]
    fn settle(tally: Tally, walk: &mut Walk<'_>, at: Position) {
        T::settle(tally, walk, at);
    }

    #[inline]
    fn is_tallied() -> bool {
        T::is_tallied()
    }

    #[inline]
    fn is_flat() -> bool {
        T::is_flat()
    }
}

enums! { [T: MemoryProfile, E: MemoryProfile] Result<T, E> { Ok: T, Err: E } }

holders! {
    // A borrowed `Cow` owns nothing: references are not followed.
    [B: ToOwned<Owned: MemoryProfile> + ?Sized] Cow<'_, B> => B::Owned: |cow| match cow {
        Cow::Owned(value) => Some(value),
        Cow::Borrowed(_) => None,
    };
}

impl<T: MemoryProfile + ?Sized> MemoryProfile for Box<T> {
    // Not inlined, because the work list also calls this function, and would get a second copy of
    // its code.
    #[inline(never)]
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.boxed(&**self, at);
    }

    fn type_name(&self) -> &'static str {
        (**self).type_name()
    }
}
