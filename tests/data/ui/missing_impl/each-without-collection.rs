use memprof::MemoryProfile;
use memprof::walk::{Position, Walk};

struct Handle(u32);

fn profile_handle<'a>(_: &'a Handle, _: &mut Walk<'a>, _: Position) {}

#[derive(MemoryProfile)]
struct Window {
    #[profile(each = profile_handle)]
    handle: Handle,
}

fn main() {}
