use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(skip, keyed)]
    values: Vec<u8>,
}

fn main() {}
