use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile = "skip"]
    values: Vec<u8>,
}

fn main() {}
