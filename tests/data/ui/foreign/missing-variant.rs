mod geo {
    pub enum Shape {
        Line(Vec<f64>),
        Empty,
    }
}

memprof::walk::foreign! {
    pub fn profile_shape(enum geo::Shape { Line(points) });
}

fn main() {}
