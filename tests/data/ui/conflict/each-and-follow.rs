use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(each = f, follow)]
    values: Vec<u8>,
}

fn main() {}
