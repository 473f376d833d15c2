#[memprof::track(crate = "memprof")]
fn load() {}

fn main() {}
