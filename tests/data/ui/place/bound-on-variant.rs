use memprof::MemoryProfile;

#[derive(MemoryProfile)]
enum Model {
    #[profile(bound = "")]
    Values(Vec<u8>),
}

fn main() {}
