use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(with = nowhere::bytes)]
    values: Vec<u8>,
}

fn main() {}
