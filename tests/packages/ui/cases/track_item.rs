//! `#[track]` on items that it cannot track.

#[memprof::track]
//~ error: a `const fn` can't be tracked, as it may run in the compiler: remove `const`, or write `let _operation = memprof::operation!("name");` where it is called
const fn area(width: u32, height: u32) -> u32 {
    width * height
}

#[memprof::track]
//~ error: `track` belongs on a function, not on a `struct`; to profile its values, write `#[derive(memprof::MemoryProfile)]`
struct Model {
    values: Vec<u8>,
}

#[memprof::track]
//~ error: `track` belongs on a function: put it on the functions in this `impl`
impl Model {
    fn load() -> Self {
        Self { values: Vec::new() }
    }
}

#[memprof::track]
//~ error: `track` belongs on a function; to name part of one write `let _operation = memprof::operation!("name");`
pub use std::collections::HashMap;

trait Load {
    #[memprof::track]
    //~ error: a function without a body can't be tracked: put `track` on its implementation
    fn without_body() -> Vec<u8>;
}
