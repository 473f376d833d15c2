use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(with = 3)]
    values: Vec<u8>,
}

fn main() {}
