#[memprof::track(name = "load", name = "store")]
fn load() {}

fn main() {}
