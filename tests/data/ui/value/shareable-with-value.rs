use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[profile(shareable = "yes")]
struct Model {
    values: Vec<u8>,
}

fn main() {}
