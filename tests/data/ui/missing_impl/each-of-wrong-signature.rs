use memprof::MemoryProfile;
use memprof::walk::{Position, Walk};

struct Handle(u32);

fn profile_handles<'a>(_: &'a Vec<Handle>, _: &mut Walk<'a>, _: Position) {}

#[derive(MemoryProfile)]
struct Window {
    #[profile(each = profile_handles)]
    handles: Vec<Handle>,
}

fn main() {}
