use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(keyed())]
    values: std::collections::HashMap<u8, u8>,
}

fn main() {}
