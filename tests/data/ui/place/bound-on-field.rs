use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(bound = "")]
    values: Vec<u8>,
}

fn main() {}
