//! `threads`: the blocks of `pairs`, half on each of two threads at once.

use super::{Work, pairs};
use std::thread;

pub(super) fn prepare() -> Work {
    Box::new(|times| {
        thread::scope(|scope| {
            for half in [times / 2, times.div_ceil(2)] {
                // Each thread makes its own blocks: nothing but the allocator is shared.
                scope.spawn(move || pairs::prepare()(half));
            }
        });
    })
}
