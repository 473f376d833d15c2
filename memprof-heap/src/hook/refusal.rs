//! The callbacks of the program and of a recorder for requests that the inner allocator refuses.

use crate::base::callback::Callback;
use crate::base::level_word::LevelWord;
use crate::base::party::Parties;
use core::cell::Cell;
use core::ptr;

/// An allocation that the inner allocator refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// The requested bytes; for a reallocation, the whole new size.
    pub requested_bytes: u64,
}

pub(crate) static ON_REFUSAL: Parties<Callback<Refusal>> = Parties::none();

thread_local! {
    // The word has no destructor. So on most platforms it exists until the thread has ended.
    static IS_REPORTING: Cell<bool> = const { Cell::new(false) };
}

/// Reports that the inner allocator refused `size` bytes. Returns null.
#[cold]
#[inline(never)]
pub(crate) fn refused(size: usize) -> *mut u8 {
    if !LevelWord::now().is_off() {
        // `try_with` may fail on a platform where the word is destroyed before the thread ends.
        // Then nothing is reported.
        let _ = IS_REPORTING.try_with(|is_reporting| {
            if !is_reporting.replace(true) {
                ON_REFUSAL.call(Refusal { requested_bytes: size as u64 });
                is_reporting.set(false);
            }
        });
    }
    ptr::null_mut()
}
