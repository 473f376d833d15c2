use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Model {
    #[profile(role = "overhead")]
    values: Vec<u8>,
}

fn main() {}
