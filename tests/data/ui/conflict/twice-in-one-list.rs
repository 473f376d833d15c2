use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(leaf, leaf)]
    values: Vec<u8>,
}

fn main() {}
