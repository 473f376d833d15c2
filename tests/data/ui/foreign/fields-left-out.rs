mod geo {
    pub struct Point {
        pub x: f64,
        pub y: f64,
    }
}

memprof::walk::foreign! {
    pub fn profile_point(geo::Point { x, .. });
}

fn main() {}
