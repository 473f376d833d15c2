//! `threads`: the blocks of `pairs`, half of them on each of two threads at once.

use super::{Work, pairs};
use std::thread;

pub(super) fn prepare() -> Work {
    Box::new(|times| {
        thread::scope(|scope| {
            for half in [times / 2, times.div_ceil(2)] {
                // Each thread makes its own blocks, so that the threads share only the allocator.
                scope.spawn(move || pairs::prepare()(half));
            }
        });
    })
}
