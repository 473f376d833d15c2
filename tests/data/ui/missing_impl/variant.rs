use memprof::MemoryProfile;

struct NoImpl;

#[derive(MemoryProfile)]
enum Model {
    Empty,
    Tuple(NoImpl),
    Struct { no_impl: NoImpl },
}

fn main() {}
