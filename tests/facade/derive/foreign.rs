//! `memprof::walk::foreign!`: functions for types of other crates.

use super::check;
use expect_test::expect;
use memprof::tree::OpaqueReason;
use memprof::walk::foreign;
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
}

foreign! {
    /// Profiles the memory that a track owns.
    fn profile_track(geo::Track { name, points, r#type });
    fn profile_metres(geo::Metres { 0: values });
    fn profile_grid<T>(geo::Grid<T> { cells, });
    fn profile_place(geo::Place(name, #[profile(skip)] cache));
    fn profile_route(geo::Route {
        #[profile(with = profile_place)]
        start,
        #[profile(each = profile_track)]
        tracks,
        #[profile(skip)]
        cache,
        r#ref,
    });
    fn profile_shape<T>(enum geo::Shape<T> {
        Empty,
        Line(points),
        Pair(name, points),
        Circle {
            name,
            #[profile(with = profile_grid)]
            centre,
            #[profile(skip)]
            cache,
        },
        r#Box(#[profile(each = profile_shape)] inner),
        _,
    });
    fn profile_unit(enum geo::Unit { Metre, Named(name) });
}

#[test]
fn a_foreign_struct_shows_its_fields() {
    #[derive(MemoryProfile)]
    struct Map {
        #[profile(with = profile_track)]
        track: geo::Track,
        #[profile(with = profile_metres)]
        heights: geo::Metres,
        #[profile(with = profile_grid)]
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
        Map;heights 24
        Map;heights;values 12
        Map;track 56
        Map;track;name 4
        Map;track;points;0 16
        Map;track;points;1 16
    "#]],
    );
}

#[test]
fn a_field_of_a_foreign_type_is_profiled_by_its_function() {
    #[derive(MemoryProfile)]
    struct Plan(#[profile(with = profile_route)] geo::Route);
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
    assert_eq!(marks.collect::<Vec<_>>(), [("cache", skipped), ("cache", skipped)]);
}

#[derive(MemoryProfile)]
struct Drawing {
    #[profile(each = profile_shape)]
    shapes: Vec<geo::Shape<u16>>,
    #[profile(each = profile_unit)]
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
fn a_variant_that_the_macro_does_not_name_is_marked() {
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
