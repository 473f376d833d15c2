//! Wrong caps of `keyed`.

use memprof::MemoryProfile;
use std::collections::HashMap;

#[derive(MemoryProfile)]
struct Fields {
    //~ error: the cap must be an integer of at least 1, as in `keyed(cap = 20)`
    #[profile(keyed(cap = -1))]
    negative: HashMap<u8, u8>,
    //~ error: the cap must be an integer of at least 1, as in `keyed(cap = 20)`
    #[profile(keyed(cap = 1f32))]
    another_type: HashMap<u8, u8>,
    //~ error: the cap must be an integer of at least 1, as in `keyed(cap = 20)`
    #[profile(keyed(cap = 0))]
    zero: HashMap<u8, u8>,
    //~ error: expected `keyed` or `keyed(cap = 20)`
    #[profile(keyed())]
    empty_list: HashMap<u8, u8>,
    //~ error: expected `keyed` or `keyed(cap = 20)`
    #[profile(keyed = 3)]
    equals: HashMap<u8, u8>,
    //~ error: expected `keyed` or `keyed(cap = 20)`
    #[profile(keyed(top = 3))]
    another_name: HashMap<u8, u8>,
    //~ error: expected `keyed` or `keyed(cap = 20)`
    #[profile(keyed(cap = 3, top))]
    too_much: HashMap<u8, u8>,
    //~ error: expected `keyed` or `keyed(cap = 20)`
    #[profile(keyed(3))]
    no_name: HashMap<u8, u8>,
}
