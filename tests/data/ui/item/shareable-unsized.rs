use memprof::MemoryProfile;

#[derive(Hash, MemoryProfile)]
#[profile(shareable)]
struct Name<T: ?Sized> {
    len: usize,
    text: T,
}

fn main() {}
