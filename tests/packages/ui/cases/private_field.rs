//! A mirror with a private field of the type of another crate.

use memprof::MemoryProfile;

mod geo {
    pub struct Region {
        pub name: String,
        border: Vec<u8>,
    }
}

#[derive(MemoryProfile)]
#[profile(remote = "geo::Region")]
struct Region {
    name: String,
    //~ error[E0451]
    border: Vec<u8>,
}
