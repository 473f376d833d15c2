use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(rename = "a\nb")]
    values: Vec<u8>,
}

fn main() {}
