use memprof::MemoryProfile;

#[derive(MemoryProfile)]
struct Rows {
    #[profile(with = profile_rows, each = profile_row)]
    rows: Vec<Vec<u8>>,
}

fn main() {}
