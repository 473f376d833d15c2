use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(follow)]
    values: String,
}

fn main() {}
