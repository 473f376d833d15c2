//! Tuples, with fields `0`, `1` and so on, ranges and `Poll`, whose values have no names, and
//! `ControlFlow`, which has a name for each of its two types.

use crate::MemoryProfile;
use crate::impls::std::scalar::impl_flat;
use crate::impls::std::wrapper::{enums, holders};
use crate::shape::{Field, Position, Shape};
use crate::state::Tally;
use crate::walk::Walk;
use core::ops::{
    Bound, ControlFlow, Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive,
};
use core::task::Poll;

macro_rules! tuples {
    ($($($member:ident $index:tt)+;)*) => {$(
        impl<$($member: MemoryProfile),+> MemoryProfile for ($($member,)+) {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                if Self::is_flat() {
                    return;
                }
                let fields = walk.fields(at, Self::shape());
                $(self.$index.owned(walk, fields.at($index));)+
            }

            fn owned_each<'a>(
                values: impl Iterator<Item = &'a Self>,
                walk: &mut Walk<'a>,
                at: Position,
            ) where
                Self: 'a,
            {
                if Self::is_flat() {
                    return;
                }
                let fields = walk.fields(at, Self::shape());
                let mut tallies = [$({ let _ = $index; Tally::default() }),+];
                for value in values {
                    $(value.$index.tally(&mut tallies[$index], walk, fields.at($index));)+
                }
                $($member::settle(tallies[$index], walk, fields.at($index));)+
            }

            fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                walk.inline(at, Self::shape(), 1);
                self.owned(walk, at);
            }

            fn shape() -> &'static Shape {
                const {
                    &Shape::of::<Self>(const { &[$(Field::of::<$member>(stringify!($index))),+] })
                }
            }

            #[inline]
            fn is_flat() -> bool {
                $($member::is_flat())&&+
            }
        }
    )*};
}

tuples! {
    A 0;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
    A 0 B 1 C 2 D 3 E 4;
    A 0 B 1 C 2 D 3 E 4 F 5;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11;
}

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

holders! {
    [T: MemoryProfile] Bound<T> => T: |bound| match bound {
        Bound::Included(value) | Bound::Excluded(value) => Some(value),
        Bound::Unbounded => None,
    };
    [T: MemoryProfile] Poll<T> => T: |poll| match poll {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    };
}

enums! { [B: MemoryProfile, C: MemoryProfile] ControlFlow<B, C> { Break: B, Continue: C } }
