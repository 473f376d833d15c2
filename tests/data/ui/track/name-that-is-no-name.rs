#[memprof::track(name = "")]
fn load() {}

#[memprof::track(name = "load;store")]
fn store() {}

fn main() {}
