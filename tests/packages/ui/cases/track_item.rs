//! `#[track]` on items that it cannot track.

#[memprof::track]
//~ error: a `const fn` cannot be tracked, because it may run at compile time; remove `const`, or write `let _operation = memprof::operation!("name");` at the call
const fn area(width: u32, height: u32) -> u32 {
    width * height
}

#[memprof::track]
//~ error: `track` is only allowed on functions, not on a `struct`; to profile its values, use `#[derive(memprof::MemoryProfile)]`
struct Model {
    values: Vec<u8>,
}

#[memprof::track]
//~ error: `track` is only allowed on functions; put it on those of this `impl`
impl Model {
    fn load() -> Self {
        Self { values: Vec::new() }
    }
}

#[memprof::track]
//~ error: `track` is only allowed on functions; to name a part of one, write `let _operation = memprof::operation!("name");`
pub use std::collections::HashMap;

trait Load {
    #[memprof::track]
    //~ error: a function without a body cannot be tracked; put `track` on its implementation
    fn without_body() -> Vec<u8>;
}
