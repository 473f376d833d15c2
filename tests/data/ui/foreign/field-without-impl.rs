mod geo {
    pub struct Place;
    pub struct Point {
        pub x: f64,
        pub place: Place,
    }
}

memprof::walk::foreign! {
    pub fn profile_point(geo::Point { x, place });
}

fn main() {}
