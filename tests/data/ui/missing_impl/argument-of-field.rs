use memprof::MemoryProfile;

struct NoImpl;

#[derive(MemoryProfile)]
struct Model {
    name: String,
    no_impl: Vec<Option<NoImpl>>,
}

fn main() {}
