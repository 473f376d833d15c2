use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[profile(role = "data")]
struct Model {
    values: Vec<u8>,
}

fn main() {}
