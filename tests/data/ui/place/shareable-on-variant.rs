use memprof::MemoryProfile;

#[derive(MemoryProfile)]
enum Model {
    #[profile(shareable)]
    Values(Vec<u8>),
}

fn main() {}
