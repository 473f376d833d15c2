use memprof::MemoryProfile;

#[derive(MemoryProfile)]
enum Model {
    #[profile(with = f)]
    Values(Vec<u8>),
}

fn main() {}
