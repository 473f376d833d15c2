//! Calls of `foreign!` that disagree with the type.

mod geo {
    pub struct Harbour;
    pub struct Waypoint {
        pub x: f64,
        pub y: f64,
    }
    pub struct Coast {
        pub x: f64,
        pub harbour: Harbour,
    }
    pub enum Outline {
        Circle { centre: Vec<f64>, radius: f64 },
        Line(Vec<f64>, f64),
    }
    pub enum Route {
        Line(Vec<f64>),
        Empty,
    }
}

memprof::walk::foreign! {
    //~ error[E0026]
    pub fn unknown_field(geo::Waypoint { x, y, z });
}

//~ error[E0277]: memprof cannot read the memory that `Harbour` owns
memprof::walk::foreign! {
    pub fn field_without_impl(geo::Coast { x, harbour });
}

memprof::walk::foreign! {
    //~ error[E0027]
    pub fn missing_field(geo::Waypoint { x });
}

//~ error
memprof::walk::foreign! {
    //~ error[E0063]
    pub fn missing_field_beside_attribute(geo::Waypoint { #[profile(skip)] x });
}

//~ error
//~ error[E0063]
memprof::walk::foreign! {
    //~ error[E0023]
    pub fn missing_fields_of_variants(enum geo::Outline { Circle { centre }, Line(points) });
}

//~ error[E0004]
memprof::walk::foreign! {
    pub fn missing_variant(enum geo::Route { Line(points) });
}
