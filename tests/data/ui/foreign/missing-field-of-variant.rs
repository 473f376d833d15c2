mod geo {
    pub enum Shape {
        Circle { centre: Vec<f64>, radius: f64 },
        Line(Vec<f64>, f64),
    }
}

memprof::walk::foreign! {
    pub fn profile_shape(enum geo::Shape { Circle { centre }, Line(points) });
}

fn main() {}
