//! `#[profile(remote = "…")]`: mirrors of types of other crates.

use super::check;
use expect_test::expect;
use memprof::tree::{OpaqueReason, Role};
use memprof::{MemoryProfile, Profile, total_bytes};

/// A module that plays the role of another crate.
mod geo {
    pub(super) struct Track {
        pub(super) name: String,
        pub(super) points: Vec<(f64, f64)>,
        pub(super) r#type: u8,
    }
    pub(super) struct Metres(pub(super) Vec<f32>);
    pub(super) struct Grid<T> {
        pub(super) cells: Vec<T>,
    }
    pub(super) struct Route {
        pub(super) start: Place,
        pub(super) tracks: Vec<Track>,
        pub(super) cache: Cache,
        pub(super) r#ref: u8,
    }
    pub(super) struct Place(pub(super) String, pub(super) Cache);
    pub(super) struct Cache(pub(super) Vec<u8>);
    pub(super) enum Shape<T> {
        Empty,
        Line(Vec<T>),
        Pair(String, Vec<T>),
        Circle {
            name: String,
            centre: Grid<T>,
            cache: Cache,
        },
        r#Box(Box<Shape<T>>),
        #[expect(dead_code, reason = "a variant that no function reads")]
        Hidden(Cache),
    }
    pub(super) enum Unit {
        Metre,
        Named(String),
    }
    pub(super) struct Named<'a> {
        pub(super) names: Vec<&'a str>,
    }
    /// A type whose other field is private.
    pub(super) struct Region {
        pub(super) name: String,
        border: Vec<u8>,
    }
    impl Region {
        pub(super) fn new(name: &str) -> Self {
            Self { name: name.into(), border: vec![1; 99] }
        }
        pub(super) fn len(&self) -> usize {
            self.border.len()
        }
    }
}

/// Mirrors, each with the name of its type.
mod mirror {
    use super::geo;
    use memprof::MemoryProfile;

    #[derive(MemoryProfile)]
    #[profile(remote = "geo::Track")]
    pub(super) struct Track {
        name: String,
        points: Vec<(f64, f64)>,
        r#type: u8,
    }
    #[derive(MemoryProfile)]
    #[profile(remote = "geo::Metres")]
    pub(super) struct Metres(Vec<f32>);
    #[derive(MemoryProfile)]
    #[profile(remote = "geo::Grid")]
    pub(super) struct Grid<T> {
        cells: Vec<T>,
    }
    #[derive(MemoryProfile)]
    #[profile(remote = "geo::Place")]
    pub(super) struct Place(#[profile(rename = "name")] String, #[profile(skip)] geo::Cache);
    #[derive(MemoryProfile)]
    #[profile(remote = "geo::Route")]
    pub(super) struct Route {
        #[profile(with = Place::owned)]
        start: geo::Place,
        #[profile(each = Track::owned)]
        tracks: Vec<geo::Track>,
        #[profile(skip)]
        cache: geo::Cache,
        r#ref: u8,
    }
    // A variant that this mirror does not list is marked.
    #[derive(MemoryProfile)]
    #[profile(remote = "geo::Shape<T>")]
    #[non_exhaustive]
    pub(super) enum Shape<T> {
        Empty,
        Line(Vec<T>),
        Pair(#[profile(rename = "name")] String, #[profile(rename = "points")] Vec<T>),
        Circle {
            name: String,
            #[profile(with = Grid::owned)]
            centre: geo::Grid<T>,
            #[profile(skip)]
            cache: geo::Cache,
        },
        r#Box(#[profile(each = Shape::owned)] Box<geo::Shape<T>>),
    }
    #[derive(MemoryProfile)]
    #[profile(remote = "geo::Unit")]
    pub(super) enum Unit {
        Metre,
        Named(String),
    }
    #[derive(MemoryProfile)]
    #[profile(remote = "geo::Named")]
    pub(super) struct Named<'a> {
        #[profile(role = "metadata")]
        names: Vec<&'a str>,
    }
    // The fields that this mirror does not list are marked.
    #[derive(MemoryProfile)]
    #[profile(remote = "geo::Region")]
    #[non_exhaustive]
    pub(super) struct Region {
        name: String,
    }
}

#[test]
fn a_foreign_struct_shows_its_fields() {
    #[derive(MemoryProfile)]
    struct Map {
        #[profile(with = mirror::Track::owned)]
        track: geo::Track,
        #[profile(with = mirror::Metres::owned)]
        heights: geo::Metres,
        #[profile(with = mirror::Grid::owned)]
        grid: geo::Grid<String>,
    }
    let track = geo::Track { name: String::from("home"), points: vec![(0.0, 0.0); 2], r#type: 1 };
    let map = Map {
        track,
        heights: geo::Metres(vec![1.0; 3]),
        grid: geo::Grid { cells: vec![String::from("ab")] },
    };
    check(
        &map,
        &expect![[r#"
        Map;grid 24
        Map;grid;cells 26
        Map;heights 36
        Map;track 56
        Map;track;name 4
        Map;track;points;0 16
        Map;track;points;1 16
    "#]],
    );
}

#[test]
fn a_field_of_a_foreign_type_is_profiled_by_its_mirror() {
    #[derive(MemoryProfile)]
    struct Plan(#[profile(with = mirror::Route::owned)] geo::Route);
    let track = |name: &str| geo::Track { name: String::from(name), points: vec![], r#type: 1 };
    let route = geo::Route {
        start: geo::Place(String::from("home"), geo::Cache(vec![1; 99])),
        tracks: vec![track("a"), track("bc")],
        cache: geo::Cache(vec![1; 99]),
        r#ref: 1,
    };
    let _ = (&route.cache.0, &route.start.1.0);
    let plan = Plan(route);
    check(
        &plan,
        &expect![[r#"
        Plan 104
        Plan;start;name 4
        Plan;tracks 112
        Plan;tracks;name 3
    "#]],
    );
    let profile = Profile::of(&plan);
    let marks = profile
        .root()
        .subtree()
        .flat_map(|branch| branch.opaque().map(move |mark| (branch.name(), mark)));
    let skipped = (OpaqueReason::Skipped, 1);
    assert_eq!(marks.collect::<Vec<_>>(), [("cache", skipped), ("1", skipped)]);
}

#[derive(MemoryProfile)]
struct Drawing {
    #[profile(each = mirror::Shape::owned)]
    shapes: Vec<geo::Shape<u16>>,
    #[profile(each = mirror::Unit::owned)]
    units: [geo::Unit; 2],
}

#[test]
fn a_foreign_enum_shows_its_active_variants() {
    let circle = |name: &str| geo::Shape::Circle {
        name: String::from(name),
        centre: geo::Grid { cells: vec![1, 2] },
        cache: geo::Cache(Vec::new()),
    };
    let drawing = Drawing {
        shapes: vec![
            geo::Shape::Empty,
            geo::Shape::Line(vec![1, 2, 3]),
            geo::Shape::Pair(String::from("pair"), vec![1]),
            circle("ring"),
            geo::Shape::Box(Box::new(circle("inner ring"))),
        ],
        units: [geo::Unit::Metre, geo::Unit::Named(String::from("mile"))],
    };
    check(
        &drawing,
        &expect![[r#"
        Drawing;shapes 384
        Drawing;shapes;Box 72
        Drawing;shapes;Circle;centre;cells 8
        Drawing;shapes;Circle;name 14
        Drawing;shapes;Line 6
        Drawing;shapes;Pair;name 4
        Drawing;shapes;Pair;points 2
        Drawing;units 48
        Drawing;units;Named 4
    "#]],
    );
}

#[test]
fn a_variant_that_the_mirror_does_not_list_is_marked() {
    let drawing =
        |shape| Drawing { shapes: vec![shape], units: [(); 2].map(|()| geo::Unit::Metre) };
    assert!(Profile::of(&drawing(geo::Shape::Empty)).is_exact());
    let hidden = Profile::of(&drawing(geo::Shape::Hidden(geo::Cache(vec![1; 99]))));
    let shapes = hidden.root().child("shapes").expect("it is a field");
    assert!(shapes.opaque().eq([(OpaqueReason::Foreign, 1)]), "{hidden}");
}

#[test]
fn a_foreign_enum_that_contains_itself_does_not_overflow_the_stack() {
    let mut shape = geo::Shape::Line(vec![7_u16]);
    for _ in 0..100_000 {
        shape = geo::Shape::Box(Box::new(shape));
    }
    let drawing = Drawing { shapes: vec![shape], units: [(); 2].map(|()| geo::Unit::Metre) };
    let boxes = 100_001 * size_of::<geo::Shape<u16>>() + 2;
    assert_eq!(total_bytes(&drawing), (size_of::<Drawing>() + boxes) as u64);
    let mut left = drawing.shapes;
    while let Some(geo::Shape::Box(inner)) = left.pop() {
        left.push(*inner);
    }
}

#[test]
fn a_private_field_that_the_mirror_does_not_list_is_marked() {
    #[derive(MemoryProfile)]
    struct Map<'a> {
        #[profile(with = mirror::Region::owned)]
        region: geo::Region,
        #[profile(with = mirror::Named::owned)]
        named: geo::Named<'a>,
    }
    let map = Map { region: geo::Region::new("north"), named: geo::Named { names: vec!["a"] } };
    assert_eq!(map.region.len(), 99);
    check(
        &map,
        &expect![[r#"
        Map;named 24
        Map;named;names 16
        Map;region 48
        Map;region;name 5
    "#]],
    );
    let profile = Profile::of(&map);
    let region = profile.root().child("region").expect("it is a field");
    assert!(region.opaque().eq([(OpaqueReason::Foreign, 1)]), "{profile}");
    let names = profile.root().child("named").and_then(|named| named.child("names"));
    let leaves = names.expect("it is a field of the mirror").leaves();
    assert!(leaves.iter().all(|leaf| leaf.role() == Role::Metadata));
}
