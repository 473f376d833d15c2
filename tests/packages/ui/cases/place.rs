//! Words on an item that they do not belong on.

use memprof::MemoryProfile;

#[derive(MemoryProfile)]
//~ error: `each` is only allowed on a field, not on a type
#[profile(each = f)]
//~ error: `follow` is only allowed on a field, not on a type
#[profile(follow)]
//~ error: `keyed` is only allowed on a field, not on a type
#[profile(keyed)]
//~ error: `leaf` is only allowed on a field, not on a type
#[profile(leaf)]
//~ error: `role` is only allowed on a variant or a field, not on a type
#[profile(role = "data")]
//~ error: `skip` is only allowed on a field, not on a type
#[profile(skip)]
//~ error: `with` is only allowed on a field, not on a type
#[profile(with = f)]
struct Type {
    //~ error: `bound` is only allowed on a type, not on a field
    #[profile(bound = "")]
    bound: Vec<u8>,
    //~ error: `crate` is only allowed on a type, not on a field
    #[profile(crate = memprof)]
    runtime: Vec<u8>,
    //~ error: `shareable` is only allowed on a type, not on a field
    #[profile(shareable)]
    shareable: Vec<u8>,
}

#[derive(MemoryProfile)]
enum Variants {
    //~ error: `bound` is only allowed on a type, not on a variant
    #[profile(bound = "")]
    Bound(Vec<u8>),
    //~ error: `crate` is only allowed on a type, not on a variant
    #[profile(crate = memprof)]
    Crate(Vec<u8>),
    //~ error: `each` is only allowed on a field, not on a variant
    #[profile(each = f)]
    Each(Vec<u8>),
    //~ error: `follow` is only allowed on a field, not on a variant
    #[profile(follow)]
    Follow(Vec<u8>),
    //~ error: `keyed` is only allowed on a field, not on a variant
    #[profile(keyed)]
    Keyed(Vec<u8>),
    //~ error: `leaf` is only allowed on a field, not on a variant
    #[profile(leaf)]
    Leaf(Vec<u8>),
    //~ error: `shareable` is only allowed on a type, not on a variant
    #[profile(shareable)]
    Shareable(Vec<u8>),
    //~ error: `skip` is only allowed on a field, not on a variant
    #[profile(skip)]
    Skip(Vec<u8>),
    //~ error: `with` is only allowed on a field, not on a variant
    #[profile(with = f)]
    With(Vec<u8>),
}
