use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[profile(rename = "a::b")]
struct Model;

fn main() {}
