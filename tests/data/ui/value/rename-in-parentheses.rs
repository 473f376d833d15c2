use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(rename("other"))]
    values: Vec<u8>,
}

fn main() {}
