use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(keyed, follow)]
    values: Vec<u8>,
}

fn main() {}
