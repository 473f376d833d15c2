use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(follow(2))]
    values: Vec<u8>,
}

fn main() {}
