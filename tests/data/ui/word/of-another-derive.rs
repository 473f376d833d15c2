use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(ignore)]
    values: Vec<u8>,
}

fn main() {}
