//! Calls of `foreign!` that do not name all fields.

mod geo {
    pub struct Point {
        pub x: f64,
        pub y: f64,
    }
    pub enum Shape {
        Circle { centre: Vec<f64>, radius: f64 },
    }
}

//~ error: `foreign!` writes functions: `pub fn name(path::Type { field, other_field });`, `pub fn name(path::Type(field));` or `pub fn name(enum path::Type { Variant(field), _ });`
memprof::walk::foreign! {
    pub fn fields_left_out(geo::Point { x, .. });
}

//~ error: `foreign!` writes functions: `pub fn name(path::Type { field, other_field });`, `pub fn name(path::Type(field));` or `pub fn name(enum path::Type { Variant(field), _ });`
//~ error: `foreign!` writes functions: `pub fn name(path::Type { field, other_field });`, `pub fn name(path::Type(field));` or `pub fn name(enum path::Type { Variant(field), _ });`
memprof::walk::foreign! {
    pub fn fields_of_variant_left_out(enum geo::Shape { Circle { centre, .. } });
}

//~ error: `foreign!` writes functions: `pub fn name(path::Type { field, other_field });`, `pub fn name(path::Type(field));` or `pub fn name(enum path::Type { Variant(field), _ });`
memprof::walk::foreign! {
    pub fn without_fields(geo::Point);
}

//~ error: an attribute of a field in `foreign!` is `with = path`, `each = path` or `skip`
memprof::walk::foreign! {
    pub fn unknown_attribute(geo::Point { x, #[profile(leaf)] y });
}
