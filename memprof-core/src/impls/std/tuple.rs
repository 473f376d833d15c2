//! Tuples: fields `0`, `1` and so on, and the padding between them.

use crate::MemoryProfile;
use crate::tally::Tally;
use crate::walk::{Field, Position, Shape, Walk};

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
