use memprof::MemoryProfile;

#[derive(MemoryProfile)]
enum Model {
    #[profile(follow)]
    Values(Vec<u8>),
}

fn main() {}
