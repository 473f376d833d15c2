use memprof::MemoryProfile;

struct NoImpl;

struct Neither;

#[derive(MemoryProfile)]
struct Model {
    no_impl: NoImpl,
    neither: Neither,
}

fn main() {}
