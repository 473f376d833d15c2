use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(keyed, each = f)]
    values: Vec<u8>,
}

fn main() {}
