#[memprof::track]
struct Model {
    values: Vec<u8>,
}

fn main() {}
