//! The call stack of a thread that takes a sample: addresses, without names.
#![cfg_attr(
    not(all(windows, target_pointer_width = "32")),
    expect(unsafe_code, reason = "walks without a lock, because the hook may not wait")
)]

#[cfg(not(all(windows, target_pointer_width = "32")))]
use core::ffi::c_void;

/// The maximum number of frames in a stack. A stack has the innermost frames, including those of
/// the allocator.
pub(crate) const MAX_FRAMES: usize = 48;

/// A stack, from the innermost frame outwards.
pub(crate) struct Stack {
    frames: [usize; MAX_FRAMES],
    len: usize,
}

impl Stack {
    pub(crate) fn frames(&self) -> &[usize] {
        &self.frames[..self.len]
    }
}

/// Walks the stack of the current thread by its unwind tables, in some microseconds. After the
/// first call, it neither allocates nor waits.
///
/// On 32-bit Windows the stack is empty. There the walk uses `dbghelp`, which only one thread may
/// call at a time, and the hook must not wait for a lock.
#[inline(never)]
pub(crate) fn walk() -> Stack {
    let mut stack = Stack { frames: [0; MAX_FRAMES], len: 0 };
    fill(&mut stack);
    stack
}

#[cfg(all(windows, target_pointer_width = "32"))]
fn fill(_: &mut Stack) {}

#[cfg(not(all(windows, target_pointer_width = "32")))]
#[inline(always)]
fn fill(stack: &mut Stack) {
    let keep = |frame: &backtrace::Frame| {
        if let Some(place) = stack.frames.get_mut(stack.len) {
            *place = frame.ip().cast::<c_void>().addr();
            stack.len += 1;
        }
        stack.len < MAX_FRAMES
    };
    // SAFETY: the lock that this call omits protects `dbghelp`. `backtrace` calls `dbghelp` only on
    // 32-bit Windows, where this function is not compiled. The other walks, by unwind tables or by
    // `RtlVirtualUnwind`, keep their state on the stack.
    unsafe { backtrace::trace_unsynchronized(keep) };
}
