//! Mirrors that disagree with the type of another crate.

use memprof::MemoryProfile;

mod geo {
    pub struct Waypoint {
        pub x: f64,
        pub y: f64,
    }
    pub struct Region {
        pub name: String,
        border: Vec<u8>,
    }
    pub struct Harbour {
        pub piers: Box<Vec<u8>>,
    }
    pub enum Route {
        Line(Vec<f64>),
        Circle { centre: Vec<f64>, radius: f64 },
        Empty,
    }
}

#[derive(MemoryProfile)]
//~ error[E0027]
#[profile(remote = "geo::Waypoint")]
struct FieldIsMissing {
    x: f64,
}

#[derive(MemoryProfile)]
#[profile(remote = "geo::Waypoint")]
struct FieldDoesNotExist {
    x: f64,
    y: f64,
    //~ error[E0026]
    z: f64,
}

#[derive(MemoryProfile)]
//~ error
#[profile(remote = "geo::Region")]
struct PrivateFieldIsMissing {
    name: String,
}

#[derive(MemoryProfile)]
#[profile(remote = "geo::Harbour")]
struct FieldHasAnotherType {
    //~ error[E0277]: the field has the type `Box<Vec<u8>>`, not `Vec<u8>`
    piers: Vec<u8>,
}

#[derive(MemoryProfile)]
//~ error[E0004]
#[profile(remote = "geo::Route")]
enum VariantIsMissing {
    Line(Vec<f64>),
    Circle { centre: Vec<f64>, radius: f64 },
}

#[derive(MemoryProfile)]
//~ error[E0027]
#[profile(remote = "geo::Route")]
enum FieldOfVariantIsMissing {
    Line(Vec<f64>),
    Circle { centre: Vec<f64> },
    Empty,
}

#[derive(MemoryProfile)]
#[profile(remote = "geo::Route")]
#[non_exhaustive]
enum VariantDoesNotExist {
    //~ error[E0599]
    Square(Vec<f64>),
}

#[derive(MemoryProfile)]
//~ error: expected the path of a type, as in `remote = "path::to::Type"`
#[profile(remote = "[u8]")]
struct NotAPath {
    x: f64,
}

#[derive(MemoryProfile)]
//~ error: `rename` cannot be combined with `remote`, because a mirror of another crate's type has no impl of its own
#[profile(remote = "geo::Waypoint", rename = "Waypoint")]
struct Renamed {
    x: f64,
    y: f64,
}

#[derive(MemoryProfile)]
struct Map {
    #[profile(with = Renamed::owned)]
    waypoint: geo::Waypoint,
}
