#[memprof::track("load")]
fn load() {}

fn main() {}
