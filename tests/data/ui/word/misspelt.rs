use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(skp)]
    values: Vec<u8>,
}

fn main() {}
