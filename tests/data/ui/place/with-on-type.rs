use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[profile(with = f)]
struct Model {
    values: Vec<u8>,
}

fn main() {}
