#[memprof::track(skip)]
fn load() {}

#[memprof::track(rename = "other")]
fn store() {}

fn main() {}
