use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[profile(crate = "memprof")]
struct Model {
    values: Vec<u8>,
}

fn main() {}
