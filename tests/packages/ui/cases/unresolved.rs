//! Paths in attributes that lead nowhere.

use memprof::MemoryProfile;

#[derive(MemoryProfile)]
//~ error[E0432]
#[profile(crate = nowhere)]
struct UnknownCrate {
    values: Vec<u8>,
}

#[derive(MemoryProfile)]
struct UnknownFunction {
    //~ error[E0433]
    #[profile(with = nowhere::bytes)]
    values: Vec<u8>,
}

#[derive(MemoryProfile)]
//~ error[E0433]
#[profile(remote = "nowhere::Route")]
struct UnknownType {
    x: f64,
}
