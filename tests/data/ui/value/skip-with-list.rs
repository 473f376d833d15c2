use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(skip(all))]
    values: Vec<u8>,
}

fn main() {}
