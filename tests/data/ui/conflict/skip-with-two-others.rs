use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(leaf, skip, follow)]
    values: Vec<u8>,
}

fn main() {}
