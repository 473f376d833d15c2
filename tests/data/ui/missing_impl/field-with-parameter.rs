use memprof::MemoryProfile;

struct NoImpl<T>(T);

#[derive(MemoryProfile)]
struct Model<T> {
    no_impl: NoImpl<T>,
}

fn main() {}
