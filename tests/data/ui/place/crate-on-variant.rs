use memprof::MemoryProfile;

#[derive(MemoryProfile)]
enum Model {
    #[profile(crate = memprof)]
    Values(Vec<u8>),
}

fn main() {}
