use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(rename = "[data]")]
    values: Vec<u8>,
}

fn main() {}
