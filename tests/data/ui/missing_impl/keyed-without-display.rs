use memprof::MemoryProfile;

use std::collections::HashMap;

#[derive(PartialEq, Eq, Hash)]
struct Key;

impl MemoryProfile for Key {
    fn owned<'a>(&'a self, _: &mut memprof::walk::Walk<'a>, _: memprof::walk::Position) {}
}

#[derive(MemoryProfile)]
struct Model {
    #[profile(keyed)]
    values: HashMap<Key, u8>,
}

fn main() {}
