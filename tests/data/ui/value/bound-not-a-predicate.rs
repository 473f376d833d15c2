use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[profile(bound = "T")]
struct Model<T> {
    values: Vec<T>,
}

fn main() {}
