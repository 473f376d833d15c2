//! `pairs`: a block in, another out, of mixed sizes, with some dozens alive.

use super::Work;
use super::block::Block;
use memprof_benches::xorshift::Xorshift;
use std::alloc::Layout;

/// Blocks alive: more than one, so that the one freed is seldom the one allocated last, and few
/// enough that the allocator has them in its caches.
const LIVE: usize = 64;
/// Steps until they repeat.
const STEPS: usize = 1024;

/// Which block goes and what comes for it.
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

/// 16 to 216 bytes, as most blocks of most programs are.
fn layout(random: &mut Xorshift) -> Layout {
    let bytes = random.between(16, 217);
    Layout::from_size_align(bytes, 8).expect("small and aligned to a power of two")
}
