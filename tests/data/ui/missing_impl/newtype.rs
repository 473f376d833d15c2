use memprof::MemoryProfile;

struct NoImpl;

#[derive(MemoryProfile)]
struct Model(NoImpl);

fn main() {}
