//! Words on an item that they do not belong on.

use memprof::MemoryProfile;

#[derive(MemoryProfile)]
//~ error: `each` belongs on a field, not on a type: move it there
#[profile(each = f)]
//~ error: `follow` belongs on a field, not on a type: move it there
#[profile(follow)]
//~ error: `keyed` belongs on a field, not on a type: move it there
#[profile(keyed)]
//~ error: `leaf` belongs on a field, not on a type: move it there
#[profile(leaf)]
//~ error: `role` belongs on a variant or a field, not on a type: move it there
#[profile(role = "data")]
//~ error: `skip` belongs on a field, not on a type: move it there
#[profile(skip)]
//~ error: `with` belongs on a field, not on a type: move it there
#[profile(with = f)]
struct Type {
    //~ error: `bound` belongs on a type, not on a field: move it there
    #[profile(bound = "")]
    bound: Vec<u8>,
    //~ error: `crate` belongs on a type, not on a field: move it there
    #[profile(crate = memprof)]
    runtime: Vec<u8>,
    //~ error: `shareable` belongs on a type, not on a field: move it there
    #[profile(shareable)]
    shareable: Vec<u8>,
}

#[derive(MemoryProfile)]
enum Variants {
    //~ error: `bound` belongs on a type, not on a variant: move it there
    #[profile(bound = "")]
    Bound(Vec<u8>),
    //~ error: `crate` belongs on a type, not on a variant: move it there
    #[profile(crate = memprof)]
    Crate(Vec<u8>),
    //~ error: `each` belongs on a field, not on a variant: move it there
    #[profile(each = f)]
    Each(Vec<u8>),
    //~ error: `follow` belongs on a field, not on a variant: move it there
    #[profile(follow)]
    Follow(Vec<u8>),
    //~ error: `keyed` belongs on a field, not on a variant: move it there
    #[profile(keyed)]
    Keyed(Vec<u8>),
    //~ error: `leaf` belongs on a field, not on a variant: move it there
    #[profile(leaf)]
    Leaf(Vec<u8>),
    //~ error: `shareable` belongs on a type, not on a variant: move it there
    #[profile(shareable)]
    Shareable(Vec<u8>),
    //~ error: `skip` belongs on a field, not on a variant: move it there
    #[profile(skip)]
    Skip(Vec<u8>),
    //~ error: `with` belongs on a field, not on a variant: move it there
    #[profile(with = f)]
    With(Vec<u8>),
}
