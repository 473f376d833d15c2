//! Ranges: their bounds are payload without names of their own.

use crate::MemoryProfile;
use crate::impls::std::flat::impl_flat;
use crate::walk::{Field, Position, Shape, Walk};
use core::ops::{
    Bound, ControlFlow, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive,
};

impl_flat! { [] RangeFull; }

/// Implements `MemoryProfile` for ranges with the given bounds.
macro_rules! ranges {
    ($($range:ident: $($bound:ident)+;)*) => {$(
        impl<T: MemoryProfile> MemoryProfile for $range<T> {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                $(self.$bound.owned(walk, at);)+
            }

            fn shape() -> &'static Shape {
                const { &Shape::values::<Self>(T::shape, [$(stringify!($bound)),+].len()) }
            }

            #[inline]
            fn is_flat() -> bool {
                T::is_flat()
            }
        }
    )*};
}

ranges! {
    Range: start end;
    RangeFrom: start;
    RangeTo: end;
    RangeToInclusive: end;
}

/// The inline bytes are one leaf, because they also include a private flag for an exhausted range.
impl<T: MemoryProfile> MemoryProfile for RangeInclusive<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.start().owned(walk, at);
        self.end().owned(walk, at);
    }

    #[inline]
    fn is_flat() -> bool {
        T::is_flat()
    }
}

impl<T: MemoryProfile> MemoryProfile for Bound<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        match self {
            Self::Included(value) | Self::Excluded(value) => value.owned(walk, at),
            Self::Unbounded => {}
        }
    }

    #[inline]
    fn is_flat() -> bool {
        T::is_flat()
    }
}

impl<B: MemoryProfile, C: MemoryProfile> MemoryProfile for ControlFlow<B, C> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let fields = walk.fields(at, Self::shape());
        match self {
            Self::Break(value) => value.owned(walk, fields.at(0)),
            Self::Continue(value) => value.owned(walk, fields.at(1)),
        }
    }

    fn shape() -> &'static Shape {
        const { &Shape::lump::<Self>(const { &[Field::frame("Break"), Field::frame("Continue")] }) }
    }

    #[inline]
    fn is_flat() -> bool {
        B::is_flat() && C::is_flat()
    }
}
