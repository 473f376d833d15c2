use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(with)]
    values: Vec<u8>,
}

fn main() {}
