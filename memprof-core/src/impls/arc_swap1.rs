//! arc-swap 1: places whose shared pointer other threads may replace.

use crate::{At, MemoryProfile, Walk};
use arc_swap::strategy::Strategy;
use arc_swap::{ArcSwapAny, RefCnt};

/// A guard keeps the pointer that is there now for as long as it is looked at. While many guards are
/// held at once, one may count as a handle.
impl<T: RefCnt + MemoryProfile, S: Strategy<T>> MemoryProfile for ArcSwapAny<T, S> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        let pointer = self.load();
        walk.guarded(&*pointer, at);
    }
}
