//! Field indices that a shape does not have.

use super::Fields;
use crate::MemoryProfile;
use crate::tree::{Branch, Collected, Device, Leaf, LeafKind, OpaqueReason};
use crate::walk::{Field, Keyed, Observer, Position, Shape, Tensor, Walk};
use std::collections::HashMap;
use std::rc::Rc;

/// A root whose first field has a wrong impl, and whose last field follows it in the tree.
struct Root {
    wrong: Wrong,
    right: Right,
}

struct Right {
    name: Vec<u8>,
}

/// A type whose impl looks up a field that its shape lacks, and adds something there.
struct Wrong {
    own: Vec<u8>,
    add: Add,
}

/// A function that adds something at a position.
type Add = for<'a> fn(&mut Walk<'a>, Position);

/// Returns the position that `Fields::at` returns for a bad index without debug assertions. With
/// debug assertions, `Fields::at` panics.
fn past(fields: Fields, index: u32) -> Position {
    if cfg!(debug_assertions) { fields.past_shape() } else { fields.at(index) }
}

impl MemoryProfile for Wrong {
    fn shape() -> &'static Shape {
        const { &Shape::of::<Self>(const { &[Field::of::<Vec<u8>>("own")] }) }
    }

    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let fields = walk.fields(at, Self::shape());
        self.own.owned(walk, fields.at(0));
        (self.add)(walk, past(fields, 2));
    }
}

impl MemoryProfile for Right {
    fn shape() -> &'static Shape {
        const { &Shape::of::<Self>(const { &[Field::of::<Vec<u8>>("name")] }) }
    }

    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let fields = walk.fields(at, Self::shape());
        self.name.owned(walk, fields.at(0));
    }
}

impl MemoryProfile for Root {
    fn shape() -> &'static Shape {
        const {
            &Shape::of::<Self>(
                const { &[Field::of::<Wrong>("wrong"), Field::of::<Right>("right")] },
            )
        }
    }

    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let fields = walk.fields(at, Self::shape());
        // `right` comes first, so that an index past the shape of `wrong` would lead to the nodes
        // of `right`.
        self.right.owned(walk, fields.at(1));
        self.wrong.owned(walk, fields.at(0));
    }

    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.inline(at, Self::shape(), 1);
        self.owned(walk, at);
    }
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "without debug assertions nothing panics")]
#[should_panic(expected = "field 2 of `memprof_core::walk::tests::Wrong` does not exist: \
                           its shape has 1 fields")]
fn an_index_past_a_shape_panics_with_type_index_and_number_of_fields() {
    let mut walk = Walk::new();
    let _ = walk.fields(Position::ROOT, Wrong::shape()).at(2);
}

#[test]
fn an_index_past_a_shape_marks_only_the_value_without_debug_assertions() {
    let adds: [(Add, u64); 10] = [
        (|walk, at| walk.allocation(at, 4000, 4000), 4000),
        (|walk, at| walk.estimated(at, LeafKind::Data, 4000), 4000),
        (|walk, at| walk.opaque(at, OpaqueReason::Foreign), 0),
        (|walk, at| walk.bytes_on(at, Device::Cuda(0), 4000), 4000),
        (|walk, at| walk.tensor(at, &Tensor::new(Device::Cpu, "u8", &[4000], 4000)), 4000),
        (
            |walk, at| {
                let entry = walk.entry(at, "entry");
                walk.leaf(entry, LeafKind::Data, 4000);
            },
            4000,
        ),
        (
            |walk, at| {
                let keys = walk.keys(at);
                walk.leaf(keys, LeafKind::Data, 4000);
            },
            4000,
        ),
        (
            |walk, at| {
                walk.shared(at, 0x1000, || 2, |walk, at| walk.leaf(at, LeafKind::Data, 4000));
            },
            4000,
        ),
        (|walk, at| walk.shareable(at, &7, |walk| walk.leaf(at, LeafKind::Data, 4000)), 4000),
        (|walk, at| walk.inline(at, Right::shape(), 1), 24),
    ];
    for (index, (add, bytes)) in adds.into_iter().enumerate() {
        let wrong = Wrong { own: vec![0; 10], add };
        let root = Root { wrong, right: Right { name: vec![0; 100] } };
        let profile = Collected::of("root", &root);
        let branch = |name| profile.tree.root().child(name).map_or(0, Branch::total_bytes);
        assert_eq!(branch("right"), 24 + 100, "{index}: {profile:?}");
        assert_eq!(branch("wrong"), 32 + 10 + bytes, "{index}: {profile:?}");
        assert_eq!(profile.tree.total_bytes(), size_of::<Root>() as u64 + 110 + bytes);
        assert!(!profile.tree.root().is_exact());
        let marks = profile.tree.root().child("wrong").into_iter().flat_map(Branch::opaque);
        let marks = marks.filter(|mark| mark.0 == OpaqueReason::BadIndex);
        assert!(marks.eq([(OpaqueReason::BadIndex, 1)]), "{index}: {profile:?}");
        let own = profile.tree.root().child("wrong").and_then(|wrong| wrong.child("own"));
        assert_eq!(own.map(Branch::total_bytes), Some(34), "{index}: {profile:?}");
    }
}

#[test]
fn maps_and_shapes_at_an_index_past_a_shape_hang_below_the_value() {
    struct Map(HashMap<String, Rc<Right>>);

    impl MemoryProfile for Map {
        fn shape() -> &'static Shape {
            const { &Shape::of::<Self>(const { &[Field::lump::<Self>("map")] }) }
        }

        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            let at = past(walk.fields(at, Self::shape()), 1);
            self.0.keyed(10, walk, at);
        }
    }

    let map = Map(HashMap::from([(String::from("a"), Rc::new(Right { name: vec![0; 100] }))]));
    let profile = Collected::of("map", &map);
    let map = profile.tree.root();
    let name = map.child("a").and_then(|entry| entry.child("name"));
    let data =
        name.into_iter().flat_map(Branch::leaves).filter(|leaf| leaf.kind() == LeafKind::Data);
    assert!(data.map(Leaf::bytes).eq([100]), "{profile:?}");
    assert!(map.opaque().eq([(OpaqueReason::BadIndex, 1)]), "{profile:?}");
}

#[test]
fn a_stopped_walk_accepts_trait_objects_at_an_index_past_a_shape() {
    trait Object: MemoryProfile {}

    impl Object for Right {}

    struct Objects {
        first: Box<dyn Object>,
        others: Vec<String>,
    }

    impl MemoryProfile for Objects {
        fn shape() -> &'static Shape {
            const { &Shape::of::<Self>(const { &[Field::lump::<Self>("all")] }) }
        }

        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            let fields = walk.fields(at, Self::shape());
            walk.pointee(&*self.first, past(fields, 1));
            self.others.owned(walk, fields.at(0));
        }
    }

    /// Stops a walk at the second call.
    struct Second(u32);

    impl Observer for Second {
        fn stops(&mut self) -> bool {
            self.0 += 1;
            self.0 == 2
        }
    }

    let (first, others) = (Box::new(Right { name: vec![0; 100] }), vec![String::from("a"); 1000]);
    let profile = Collected::observed("root", &Objects { first, others }, &mut Second(0));
    let root = profile.tree.root();
    assert!(root.opaque().any(|mark| mark == (OpaqueReason::BadIndex, 1)), "{profile:?}");
    assert_eq!(root.child("Right").map(Branch::total_bytes), Some(24 + 100), "{profile:?}");
}
