//! Layer 3: what runs on every allocation and every free.
//!
//! | module | contents |
//! |---|---|
//! | `allocator` | the global allocator, which passes each call on and calls the functions of this file |
//! | `slow` | the rare cases; one word of the thread sends these functions there |
//! | `start` | the level with which an allocator starts |
//! | `refusal` | the call of the program when the inner allocator has no memory |

pub(crate) mod allocator;
pub(crate) mod refusal;
mod slow;
pub(crate) mod start;

use crate::base::level_word::Level;
use crate::thread::threads::current;

/// Counts a block that was handed out, and returns it. `start` is the level of the allocator that is
/// called, which is the program's until another is set.
#[inline(always)]
pub(crate) fn allocated(memory: *mut u8, bytes: usize, start: Level) -> *mut u8 {
    let mine = current();
    if mine.count_bytes(bytes) {
        return slow::allocated(memory, bytes, start);
    }
    mine.count_live(bytes);
    memory
}

/// Counts a block that was moved, or grown or shrunk in place, and returns it.
#[inline(always)]
pub(crate) fn reallocated(memory: *mut u8, old: usize, new: usize, start: Level) -> *mut u8 {
    if new < old {
        return slow::resized(memory, old, new, start);
    }
    let mine = current();
    if mine.count_bytes(new) {
        return slow::grown(memory, old, new, start);
    }
    mine.count_growth(old, new);
    memory
}

/// Counts a block that is about to be given back; true if it has to be done by [`freed_slowly`].
#[inline(always)]
pub(crate) fn freed(bytes: usize) -> bool {
    let mine = current();
    if mine.must_stop_before_freeing() {
        return true;
    }
    mine.count_free(bytes);
    false
}

pub(crate) use slow::{freed as freed_slowly, freed_unsampled, not_moved, taken};
