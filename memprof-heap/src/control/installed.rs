//! The test that an allocator of this crate counts the program's allocations.

use crate::base::level_word::LevelWord;
use crate::sampling;
use crate::thread::counters::Counts;
use crate::thread::threads;
use core::hint::black_box;
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Returns true if [`Allocator`](crate::Allocator) is the global allocator, or is inside it.
///
/// A call allocates and frees one byte, and checks that both are counted. No measurement includes
/// this byte. Once a call has returned true, later calls return true without the check.
pub fn is_installed() -> bool {
    /// True once the byte was counted. It stays true, because the global allocator never changes.
    static SEEN: AtomicBool = AtomicBool::new(false);
    if SEEN.load(Relaxed) {
        return true;
    }
    let seen = look();
    SEEN.store(seen, Relaxed);
    seen
}

fn look() -> bool {
    loop {
        let before = LevelWord::now();
        let switched_on = before.is_off() && LevelWord::PROBED.replace(LevelWord::OFF);
        let seen = is_probe_counted();
        if switched_on {
            // This fails if another thread has set a level since the switch. That level stays.
            let _ = LevelWord::OFF.replace(LevelWord::PROBED);
        }
        // If the byte was not counted, another thread may have switched the level off at that
        // moment.
        if seen || before == LevelWord::now() || switched_on {
            return seen;
        }
    }
}

fn is_probe_counted() -> bool {
    let Some(local) = threads::local() else { return false };
    local.settle();
    let (before, window) = (local.counts(), local.window());
    sampling::unsampled(|| drop(black_box(Box::new(0_u8))));
    let seen = local.counts().since(before);
    if seen.allocated_blocks == 0 {
        return false;
    }
    local.forget_block(1);
    local.set_window(window);
    seen == Counts { allocated_bytes: 1, allocated_blocks: 1, freed_bytes: 1, freed_blocks: 1 }
}
