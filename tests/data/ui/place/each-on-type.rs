use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[profile(each = f)]
struct Model {
    values: Vec<u8>,
}

fn main() {}
