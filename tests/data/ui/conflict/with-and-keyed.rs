use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(keyed, with = f)]
    values: Vec<u8>,
}

fn main() {}
