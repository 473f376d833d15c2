//! `Box`: one allocation of exactly the size of its value.

use crate::MemoryProfile;
use crate::walk::{Position, Walk};

impl<T: MemoryProfile + ?Sized> MemoryProfile for Box<T> {
    // Not inlined, because the work list also calls this function, and would get a second copy of
    // its code.
    #[inline(never)]
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.boxed(&**self, at);
    }

    fn type_name(&self) -> &'static str {
        (**self).type_name()
    }
}
