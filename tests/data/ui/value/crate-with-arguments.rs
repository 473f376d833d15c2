use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[profile(crate = memprof<u8>)]
struct Model {
    values: Vec<u8>,
}

fn main() {}
