use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(crate = memprof)]
    values: Vec<u8>,
}

fn main() {}
