use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(rename = "a")]
    #[profile(rename = "b")]
    values: Vec<u8>,
}

fn main() {}
