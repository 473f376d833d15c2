//! Layer 3: the code that runs on every allocation and every free.
//!
//! | module | contents |
//! |---|---|
//! | `allocator` | the global allocator: forwards calls, uses the functions of this file |
//! | `slow` | the rare cases, which the functions of this file detect by one word of the thread |
//! | `start` | the level with which an allocator starts |
//! | `fork` | the repairs of a forked child |
//! | `refusal` | the callbacks for requests that the inner allocator refuses |

pub(crate) mod allocator;
pub(crate) mod fork;
pub(crate) mod refusal;
mod slow;
pub(crate) mod start;

use crate::base::level_word::Level;
use crate::thread::threads::current;

/// Counts a block that was allocated, and returns it. `start` is the level of the called allocator,
/// which applies until another level is set.
#[inline(always)]
pub(crate) fn allocated(memory: *mut u8, bytes: usize, start: Level) -> *mut u8 {
    let local = current();
    if local.count_bytes(bytes) {
        return slow::allocated(memory, bytes, start);
    }
    local.count_live(bytes);
    memory
}

/// Counts a block that was moved, or grown or shrunk in place, and returns it.
#[inline(always)]
pub(crate) fn reallocated(memory: *mut u8, old: usize, new: usize, start: Level) -> *mut u8 {
    if new < old {
        return slow::resized(memory, old, new, start);
    }
    let local = current();
    if local.count_bytes(new) {
        return slow::grown(memory, old, new, start);
    }
    local.count_growth(old, new);
    memory
}

/// Counts a block that is about to be freed. Returns true if [`freed_slowly`] must do that instead.
#[inline(always)]
pub(crate) fn freed(bytes: usize) -> bool {
    let local = current();
    if local.must_stop_before_freeing() {
        return true;
    }
    local.count_free(bytes);
    false
}

pub(crate) use slow::{freed as freed_slowly, freed_unsampled, not_moved, taken};
