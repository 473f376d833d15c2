use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(each = "path::to::function")]
    values: Vec<u8>,
}

fn main() {}
