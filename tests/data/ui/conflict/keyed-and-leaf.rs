use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(keyed)]
    #[profile(leaf)]
    values: Vec<u8>,
}

fn main() {}
