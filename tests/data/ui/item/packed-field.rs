use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[repr(C, packed(2))]
struct Model {
    kind: u8,
    values: Vec<u8>,
}

fn main() {}
