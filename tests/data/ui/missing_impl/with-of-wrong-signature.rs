use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(with = bytes)]
    values: Vec<u8>,
}

fn bytes(values: &Vec<u8>) -> usize {
    values.len()
}

fn main() {}
