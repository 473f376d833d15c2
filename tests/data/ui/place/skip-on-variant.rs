use memprof::MemoryProfile;

#[derive(MemoryProfile)]
enum Model {
    #[profile(skip)]
    Values(Vec<u8>),
}

fn main() {}
