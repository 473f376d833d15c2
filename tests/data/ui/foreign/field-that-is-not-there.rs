mod geo {
    pub struct Waypoint {
        pub x: f64,
    }
}

memprof::walk::foreign! {
    pub fn profile_waypoint(geo::Waypoint { x, y });
}

fn main() {}
