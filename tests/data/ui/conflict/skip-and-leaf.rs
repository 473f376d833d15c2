use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(skip, leaf)]
    values: Vec<u8>,
}

fn main() {}
