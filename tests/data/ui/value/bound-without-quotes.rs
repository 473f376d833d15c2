use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[profile(bound = T: Clone)]
struct Model<T> {
    values: Vec<T>,
}

fn main() {}
