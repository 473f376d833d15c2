use memprof::MemoryProfile;

struct NoImpl;

#[derive(MemoryProfile)]
struct Model(u8, NoImpl);

fn main() {}
