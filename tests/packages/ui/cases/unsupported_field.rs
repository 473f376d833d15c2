//! Words on fields and types that lack what the word needs.

use memprof::MemoryProfile;
use memprof::walk::{Position, Walk};
use std::collections::HashMap;

struct Handle(u32);

fn profile_handle<'a>(_: &'a Handle, _: &mut Walk<'a>, _: Position) {}

#[derive(PartialEq, Eq, Hash)]
struct Key;

impl MemoryProfile for Key {
    fn owned<'a>(&'a self, _: &mut Walk<'a>, _: Position) {}
}

#[derive(MemoryProfile)]
struct Fields {
    #[profile(each = profile_handle)]
    //~ error[E0277]: `#[profile(each = …)]` finds no elements in `Handle`
    //~ note: `each` is for vectors, queues, heaps, arrays, sets, the values of maps, `Option`, `Box`, `Rc`, `Arc`, `RefCell`, `Mutex` and `RwLock`
    //~ note: for a collection from another crate, enable memprof's feature for that crate, such as `indexmap2`
    //~ note: for a value of another type, write `#[profile(with = path)]`
    each_without_collection: Handle,
    #[profile(follow)]
    //~ error[E0277]: `#[profile(follow)]` finds no reference in `String`
    //~ note: follow a field of type `&T`, `Option<&T>`, `Vec<&T>`, `[&T; N]` or a map with such values
    //~ note: what `Box`, `Rc` and `Arc` point to is counted without `follow`
    follow_without_reference: String,
    #[profile(keyed)]
    //~ error[E0277]
    keyed_without_display: HashMap<Key, u8>,
    #[profile(keyed)]
    //~ error[E0277]: `#[profile(keyed)]` cannot name the entries of `Vec<u8>`
    //~ note: `keyed` is for `HashMap` and `BTreeMap` with keys that implement `Display`
    //~ note: for `IndexMap`, `OrderMap`, `LruCache`, `DashMap`, hashbrown's `HashMap` and serde_json's `Map` and `Value`, enable the memprof feature named after the crate
    keyed_without_map: Vec<u8>,
}

//~ error[E0277]
#[derive(MemoryProfile)]
#[profile(shareable)]
struct ShareableWithoutHash {
    factor: f64,
}
