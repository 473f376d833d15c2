use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[profile(crate)]
struct Model {
    values: Vec<u8>,
}

fn main() {}
