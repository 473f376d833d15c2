//! A value that may contain itself in containers of std, so that any of these can be nested in any
//! other. Sets and `BinaryHeap` are left out, because `Nested` implements neither `Hash` nor `Ord`.

use crate::hashes::Plain;
use crate::random::Random;
use crate::values::Value;
use memprof::MemoryProfile;
use memprof::walk::{Field, Position, Shape, Walk};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap, LinkedList, VecDeque};
use std::rc::Rc;

/// Each row has a variant. It is profiled like a derived enum: its own bytes are one leaf, and the
/// memory of its field is below the variant.
macro_rules! nested {
    ($($index:literal $variant:ident($type:ty),)*) => {
        #[derive(Clone)]
        pub(crate) enum Nested {
            $($variant($type),)*
        }

        impl MemoryProfile for Nested {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                let fields = walk.fields(at, Self::shape());
                match self {
                    $(Self::$variant(value) => value.owned(walk, fields.at($index)),)*
                }
            }

            fn shape() -> &'static Shape {
                static SHAPE: Shape =
                    Shape::lump::<Nested>(&[$(Field::frame(stringify!($variant)),)*]);
                &SHAPE
            }
        }

        impl Value for Nested {
            fn random(random: &mut Random) -> Self {
                let variants = if random.may_nest() { [$($index,)*].len() } else { 2 };
                match random.below(variants) {
                    $($index => Self::$variant(Value::random(random)),)*
                    _ => unreachable!("the number is below that of the variants"),
                }
            }
        }
    };
}

nested! {
    0 Number(u64),
    1 Text(Option<String>),
    2 Boxed(Box<Nested>),
    3 List(Vec<Nested>),
    4 Slice(Box<[Nested]>),
    5 Queue(VecDeque<Nested>),
    6 Linked(LinkedList<Nested>),
    7 Table(HashMap<String, Nested, Plain>),
    8 Tree(BTreeMap<u16, Nested>),
    9 Shared(Vec<Rc<Nested>>),
    10 SharedSlice(Rc<[Nested]>),
    11 Cell(Box<RefCell<Nested>>),
    12 Late(Box<OnceCell<Nested>>),
    13 Pair(Box<(Nested, u8, Nested)>),
}
