use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(compressed)]
    values: Vec<u8>,
}

fn main() {}
