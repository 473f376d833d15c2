use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[profile(crate = nowhere)]
struct Model {
    values: Vec<u8>,
}

fn main() {}
