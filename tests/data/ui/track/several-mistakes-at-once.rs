#[memprof::track(nam = "load" name = "", crate = 5)]
const fn load() {}

fn main() {}
