use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(shareable)]
    values: Vec<u8>,
}

fn main() {}
