use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[profile(skip)]
struct Model {
    values: Vec<u8>,
}

fn main() {}
