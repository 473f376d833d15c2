use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(with = f, follow)]
    values: Vec<u8>,
}

fn main() {}
