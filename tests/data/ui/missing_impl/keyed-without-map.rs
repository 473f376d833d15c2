use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(keyed)]
    values: Vec<u8>,
}

fn main() {}
