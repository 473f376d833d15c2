//! arc-swap 1: shared pointers that other threads may replace.

use crate::MemoryProfile;
use crate::walk::{Position, Walk};
use arc_swap::strategy::Strategy;
use arc_swap::{ArcSwapAny, RefCnt};

/// A guard keeps the current pointer alive while the walk reads it. If many guards exist at once,
/// arc-swap makes further guards by cloning, and they count as handles.
impl<T: RefCnt + MemoryProfile, S: Strategy<T>> MemoryProfile for ArcSwapAny<T, S> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.guarded(self.load(), at);
    }
}
