use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[profile(shareable)]
struct Unit {
    factor: f64,
}

fn main() {}
