use memprof::MemoryProfile;

#[derive(MemoryProfile)]
enum Model {
    #[profile(leaf)]
    Values(Vec<u8>),
}

fn main() {}
