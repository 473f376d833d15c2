//! `memprof::walk::foreign!`: functions for types of other crates.

use super::check;
use expect_test::expect;
use memprof::MemoryProfile;
use memprof::walk::foreign;

/// A module in place of another crate.
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
}

foreign! {
    /// Profiles the memory that a track owns.
    fn profile_track(geo::Track { name, points, r#type });
    fn profile_metres(geo::Metres { 0: values });
    fn profile_grid<T>(geo::Grid<T> { cells, });
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
