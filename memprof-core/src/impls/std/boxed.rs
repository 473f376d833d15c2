//! `Box`: one allocation of exactly the size of its value.

use crate::MemoryProfile;
use crate::tree::LeafKind;
use crate::walk::{Position, Walk};

impl<T: MemoryProfile + ?Sized> MemoryProfile for Box<T> {
    // This is not inlined, because the work list's call would duplicate the code.
    #[inline(never)]
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.boxed(&**self, at);
    }

    fn type_name(&self) -> &'static str {
        (**self).type_name()
    }

    fn inline(walk: &mut Walk<'_>, at: Position, count: usize) {
        walk.lump(at, LeafKind::Inline, size_of::<Self>(), count);
    }
}
