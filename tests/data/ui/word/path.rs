use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(memprof::skip)]
    values: Vec<u8>,
}

fn main() {}
