//! The call stack of a thread that takes a sample: addresses, without names.
#![expect(unsafe_code, reason = "the walk without a lock, as the hook may not wait")]

use core::ffi::c_void;

/// Frames that are kept, the innermost ones: those of the allocator among them.
pub(crate) const MOST_FRAMES: usize = 48;

/// A stack, from the innermost frame outwards.
pub(crate) struct Stack {
    frames: [usize; MOST_FRAMES],
    len: usize,
}

impl Stack {
    pub(crate) fn frames(&self) -> &[usize] {
        &self.frames[..self.len]
    }
}

/// Walks the stack of the current thread by its unwind tables, some microseconds. Neither
/// allocates nor waits, once it has been called.
#[inline(never)]
pub(crate) fn walk() -> Stack {
    let mut stack = Stack { frames: [0; MOST_FRAMES], len: 0 };
    let keep = |frame: &backtrace::Frame| {
        if let Some(place) = stack.frames.get_mut(stack.len) {
            *place = frame.ip().cast::<c_void>().addr();
            stack.len += 1;
        }
        stack.len < MOST_FRAMES
    };
    // SAFETY: what the lock would guard is the loading of debug information on Windows; elsewhere
    // the walk has no state. On Windows no two samples are taken at once, see below.
    unsafe { backtrace::trace_unsynchronized(keep) };
    stack
}
