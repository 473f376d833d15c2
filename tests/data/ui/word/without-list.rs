use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile]
    values: Vec<u8>,
}

fn main() {}
