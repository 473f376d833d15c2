//! Functions whose signature does not match the field.

use memprof::MemoryProfile;
use memprof::walk::{Position, Walk};

struct Handle(u32);

fn profile_handles<'a>(_: &'a Vec<Handle>, _: &mut Walk<'a>, _: Position) {}

fn bytes(values: &Vec<u8>) -> usize {
    values.len()
}

#[derive(MemoryProfile)]
struct Window {
    //~ error[E0631]
    #[profile(each = profile_handles)]
    handles: Vec<Handle>,
    //~ error[E0061]
    #[profile(with = bytes)]
    values: Vec<u8>,
}
