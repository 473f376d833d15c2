use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[profile(skp)]
struct Model;

fn main() {}
