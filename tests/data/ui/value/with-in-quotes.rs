use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(with = "path::to::function")]
    values: Vec<u8>,
}

fn main() {}
