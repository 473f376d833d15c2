use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(keyed(cap = 1f32))]
    values: std::collections::HashMap<u8, u8>,
}

fn main() {}
