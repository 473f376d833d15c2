use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[profile(keyed)]
struct Model {
    values: Vec<u8>,
}

fn main() {}
