use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(rename)]
    values: Vec<u8>,
}

fn main() {}
