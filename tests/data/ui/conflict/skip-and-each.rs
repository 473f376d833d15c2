use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(skip, each = f)]
    values: Vec<u8>,
}

fn main() {}
