//! `Box`: one allocation of exactly the size of its value.

use crate::MemoryProfile;
use crate::tree::LeafKind;
use crate::walk::{Position, Walk};

impl<T: MemoryProfile + ?Sized> MemoryProfile for Box<T> {
    // This is not inlined, because the work list's call would duplicate the code.
    #[inline(never)]
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if at.is_deep() {
            walk.defer(self, at);
            return;
        }
        let bytes = size_of_val(&**self);
        walk.count_allocations(at, usize::from(bytes != 0));
        walk.block_of((&raw const **self).addr(), bytes);
        walk.pointee(&**self, at.deeper());
    }

    fn type_name(&self) -> &'static str {
        (**self).type_name()
    }

    fn inline(walk: &mut Walk<'_>, at: Position, count: usize) {
        walk.lump(at, LeafKind::Inline, size_of::<Self>(), count);
    }
}
