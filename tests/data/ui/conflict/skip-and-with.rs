use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(skip, with = f)]
    values: Vec<u8>,
}

fn main() {}
