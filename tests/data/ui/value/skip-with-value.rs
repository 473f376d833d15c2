use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(skip = true)]
    values: Vec<u8>,
}

fn main() {}
