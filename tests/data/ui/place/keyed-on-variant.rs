use memprof::MemoryProfile;

#[derive(MemoryProfile)]
enum Model {
    #[profile(keyed)]
    Values(Vec<u8>),
}

fn main() {}
