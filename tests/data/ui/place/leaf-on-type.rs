use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[profile(leaf)]
struct Model {
    values: Vec<u8>,
}

fn main() {}
