use memprof::MemoryProfile;

#[derive(MemoryProfile)]
enum Model {
    #[profile(each = f)]
    Values(Vec<u8>),
}

fn main() {}
