//! Tests that a level applies to the program's allocator and to the allocator of a linked library.

use memprof_dynamic::allocate_and_free;
use memprof_dynamic::memprof_heap::{Allocator, Level, current_thread, set_level};
use std::alloc::Layout;
use std::hint::black_box;

#[global_allocator]
static ALLOC: Allocator = Allocator::system();

/// The size of a block: more than a thread allocates before it flushes its live bytes.
const BYTES: u64 = 1 << 20;

/// Returns the counts of this thread for two blocks, one from each allocator.
fn counted() -> (u64, u64) {
    let thread = || current_thread().map_or((0, 0), |all| (all.allocated_bytes, all.freed_blocks));
    let before = thread();
    allocate_and_free(Layout::new::<[u8; BYTES as usize]>());
    drop(black_box(vec![0_u8; BYTES as usize]));
    let after = thread();
    (after.0 - before.0, after.1 - before.1)
}

#[test]
fn a_level_holds_for_every_allocator_of_the_program() {
    use Level::{Counters, Off, Sampled};
    assert_eq!(counted(), (0, 0), "before anything is set");
    for level in [Counters, Off, Sampled, Counters, Off] {
        set_level(level);
        let wanted = if level == Off { (0, 0) } else { (2 * BYTES, 2) };
        assert_eq!(counted(), wanted, "{level:?}");
    }
}
