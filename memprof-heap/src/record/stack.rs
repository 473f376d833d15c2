//! The call stack of a thread that takes a sample: addresses, without names.
#![cfg_attr(
    not(all(windows, target_pointer_width = "32")),
    expect(unsafe_code, reason = "walks without a lock, because the hook may not wait")
)]

#[cfg(not(all(windows, target_pointer_width = "32")))]
use core::ffi::c_void;
use memprof_profile::text::CUT_ADDRESS;

/// The numbers of frames that are kept of a deep stack. The innermost ones include those of the
/// allocator. The outermost ones have the user's code if a dependency's functions are recursive.
const INNERMOST: usize = 40;
const OUTERMOST: usize = 24;

/// The maximum number of frames in a stack. A deep one has `CUT_ADDRESS` between its two parts.
pub(crate) const MAX_FRAMES: usize = INNERMOST + 1 + OUTERMOST;

/// The maximum number of frames that are walked. The outermost frames of a deeper stack are not
/// found, so it keeps only the innermost ones. Otherwise, each depth of a recursion would have a
/// stack of its own.
const MAX_WALKED: usize = 1024;

/// A stack, from the innermost frame outwards.
pub(crate) struct Stack {
    frames: [usize; MAX_FRAMES],
    len: usize,
}

impl Stack {
    pub(crate) fn frames(&self) -> &[usize] {
        &self.frames[..self.len]
    }

    /// Adds the next frame outwards. The last `OUTERMOST` places are a ring. `len` is the number of
    /// frames that were added.
    #[cfg(any(test, not(all(windows, target_pointer_width = "32"))))]
    fn add(&mut self, frame: usize) {
        let ring = MAX_FRAMES - OUTERMOST;
        let index = if self.len < ring { self.len } else { ring + (self.len - ring) % OUTERMOST };
        self.frames[index] = frame;
        self.len += 1;
    }

    /// Marks the cut, if there is one. `len` is then the number of frames that are kept.
    fn finish(&mut self) {
        if self.len <= MAX_FRAMES {
            return;
        }
        self.frames[INNERMOST] = CUT_ADDRESS as usize;
        let ring = INNERMOST + 1;
        self.frames[ring..].rotate_left((self.len - ring) % OUTERMOST);
        self.len = if self.len < MAX_WALKED { MAX_FRAMES } else { ring };
    }
}

/// Walks the stack of the current thread by its unwind tables, in about 0.15 µs for each frame. After
/// the first call, it neither allocates nor waits.
///
/// On 32-bit Windows the stack is empty. There the walk uses `dbghelp`, which only one thread may
/// call at a time, and the hook must not wait for a lock.
#[inline(never)]
pub(crate) fn walk() -> Stack {
    let mut stack = Stack { frames: [0; MAX_FRAMES], len: 0 };
    fill(&mut stack);
    stack.finish();
    stack
}

#[cfg(all(windows, target_pointer_width = "32"))]
fn fill(_: &mut Stack) {}

#[cfg(not(all(windows, target_pointer_width = "32")))]
#[inline(always)]
fn fill(stack: &mut Stack) {
    let keep = |frame: &backtrace::Frame| {
        stack.add(frame.ip().cast::<c_void>().addr());
        stack.len < MAX_WALKED
    };
    // SAFETY: the lock that this call omits protects `dbghelp`. `backtrace` calls `dbghelp` only on
    // 32-bit Windows, where this function is not compiled. The other walks, by unwind tables or by
    // `RtlVirtualUnwind`, keep their state on the stack.
    unsafe { backtrace::trace_unsynchronized(keep) };
}

#[cfg(test)]
mod tests {
    use super::CUT_ADDRESS;
    use super::INNERMOST;
    use super::MAX_FRAMES;
    use super::MAX_WALKED;
    use super::OUTERMOST;
    use super::Stack;

    #[test]
    fn a_deep_stack_keeps_its_innermost_and_its_outermost_frames() {
        let frames = |depth: usize| -> Vec<usize> { (100..100 + depth).collect() };
        for depth in [0, 1, 40, 41, 64, 65, 66, 89, 90, 200, 1023, 1024] {
            let mut stack = Stack { frames: [0; MAX_FRAMES], len: 0 };
            let all = frames(depth);
            for frame in &all {
                stack.add(*frame);
            }
            stack.finish();
            let mut expected = all.clone();
            if depth > MAX_FRAMES {
                let outermost = if depth < MAX_WALKED { OUTERMOST } else { 0 };
                expected = all[..INNERMOST].to_vec();
                expected.push(CUT_ADDRESS as usize);
                expected.extend(&all[depth - outermost..]);
            }
            assert_eq!(stack.frames(), expected, "{depth}");
        }
    }
}
