use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[profile(rename = "A", rename = "B")]
struct Model;

fn main() {}
