use memprof::MemoryProfile;

#[derive(MemoryProfile)]
enum Model {
    #[profile(rename = "[Values]")]
    Values(Vec<u8>),
}

fn main() {}
