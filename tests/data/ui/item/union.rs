use memprof::MemoryProfile;

#[derive(MemoryProfile)]
union Bits {
    word: u64,
    bytes: [u8; 8],
}

fn main() {}
