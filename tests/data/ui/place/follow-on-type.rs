use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[profile(follow)]
struct Model {
    values: Vec<u8>,
}

fn main() {}
