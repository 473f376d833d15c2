use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(skip, follow)]
    values: Vec<u8>,
}

fn main() {}
