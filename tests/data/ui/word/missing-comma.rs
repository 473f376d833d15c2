use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(leaf rename = "x")]
    values: Vec<u8>,
}

fn main() {}
