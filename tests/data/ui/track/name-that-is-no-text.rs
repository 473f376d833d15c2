const NAME: &str = "load";

#[memprof::track(name = NAME)]
fn load() {}

#[memprof::track(name = 5)]
fn store() {}

#[memprof::track(name = )]
fn nothing() {}

#[memprof::track(name)]
fn nor_this() {}

#[memprof::track(name("load"))]
fn nor_that() {}

fn main() {}
