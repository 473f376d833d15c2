use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(keyed(cap = 0))]
    values: std::collections::HashMap<u8, u8>,
}

fn main() {}
