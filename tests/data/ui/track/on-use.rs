#[memprof::track]
use std::collections::HashMap;

fn main() {}
