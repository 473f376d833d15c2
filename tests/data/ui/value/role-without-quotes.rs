use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(role = metadata)]
    values: Vec<u8>,
}

fn main() {}
