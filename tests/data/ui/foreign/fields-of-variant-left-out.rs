mod geo {
    pub enum Shape {
        Circle { centre: Vec<f64>, radius: f64 },
    }
}

memprof::walk::foreign! {
    pub fn profile_shape(enum geo::Shape { Circle { centre, .. } });
}

fn main() {}
