use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(3)]
    values: Vec<u8>,
}

fn main() {}
