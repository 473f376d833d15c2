//! `pairs`: one block is freed and another allocated, of mixed sizes, with 64 blocks live.

use super::Work;
use super::block::Block;
use memprof_benches::xorshift::Xorshift;
use std::alloc::Layout;

/// The number of live blocks. It is above one, so that the freed block is rarely the last allocated
/// one. It is small enough for the allocator's caches.
const LIVE: usize = 64;
/// The number of steps before they repeat.
const STEPS: usize = 1024;

/// The block to free, and the layout of the one that replaces it.
struct Step {
    slot: usize,
    layout: Layout,
}

pub(super) fn prepare() -> Work {
    let mut random = Xorshift::new(1);
    let mut live: Vec<_> = (0..LIVE).map(|_| Block::new(layout(&mut random))).collect();
    let steps: Vec<_> = (0..STEPS)
        .map(|_| Step { slot: random.below(LIVE), layout: layout(&mut random) })
        .collect();
    Box::new(move |times| {
        for step in steps.iter().cycle().take(times) {
            live[step.slot] = Block::new(step.layout);
        }
    })
}

/// Returns a layout of 16 to 216 bytes, the size of most blocks in most programs.
fn layout(random: &mut Xorshift) -> Layout {
    let bytes = random.between(16, 217);
    Layout::from_size_align(bytes, 8).expect("small and aligned to a power of two")
}
