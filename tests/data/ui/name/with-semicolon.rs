use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(rename = "a;b")]
    values: Vec<u8>,
}

fn main() {}
