//! `hot`: 64 bytes are allocated and freed at once, the allocator's best case.

use super::Work;
use super::block::Block;
use std::alloc::Layout;

pub(super) fn prepare() -> Work {
    let layout = Layout::new::<[u64; 8]>();
    Box::new(move |times| {
        for _ in 0..times {
            drop(Block::new(layout));
        }
    })
}
