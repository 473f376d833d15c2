mod geo {
    pub struct Waypoint {
        pub x: f64,
    }
}

memprof::foreign! {
    pub fn profile_waypoint(geo::Waypoint { x, y });
}

fn main() {}
