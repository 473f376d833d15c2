use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[profile(bound = "")]
struct Model<T> {
    values: Vec<T>,
}

fn main() {}
