use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile("some text")]
    values: Vec<u8>,
}

fn main() {}
