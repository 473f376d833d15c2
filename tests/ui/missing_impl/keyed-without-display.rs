use memprof::MemoryProfile;

use std::collections::HashMap;

#[derive(PartialEq, Eq, Hash)]
struct Key;

impl MemoryProfile for Key {
    fn owned<'a>(&'a self, _: &mut memprof::Walk<'a>, _: memprof::At) {}
}

#[derive(MemoryProfile)]
struct Model {
    #[profile(keyed)]
    values: HashMap<Key, u8>,
}

fn main() {}
