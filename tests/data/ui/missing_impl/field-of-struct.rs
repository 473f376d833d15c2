use memprof::MemoryProfile;

struct NoImpl;

#[derive(MemoryProfile)]
struct Model {
    name: String,
    no_impl: NoImpl,
}

fn main() {}
