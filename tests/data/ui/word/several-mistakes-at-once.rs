use memprof::MemoryProfile;

#[derive(MemoryProfile)]
#[profile(crat = memprof, rename = "")]
struct Model {
    #[profile(lef, rename)]
    one: Vec<u8>,
    #[profile(role = "data", , skip = 3)]
    two: Vec<u8>,
}

fn main() {}
