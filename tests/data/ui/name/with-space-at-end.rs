use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(rename = "a ")]
    values: Vec<u8>,
}

fn main() {}
