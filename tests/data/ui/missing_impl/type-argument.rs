use memprof::MemoryProfile;

struct NoImpl;

#[derive(MemoryProfile)]
struct Model<T> {
    values: Vec<T>,
}

fn main() {
    let _ = memprof::total_bytes(&Model { values: vec![NoImpl] });
}
