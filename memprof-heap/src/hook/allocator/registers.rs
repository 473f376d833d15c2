//! Hints to the compiler about which registers the allocator saves, and where. They emit no
//! instruction.
#![cfg_attr(
    all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)),
    expect(unsafe_code, reason = "inline assembly names a register")
)]

/// Returns the same number, but hides from the compiler that it equals the argument.
///
/// The number is needed after the call of the inner allocator, so the compiler keeps it in a saved
/// register. With this function, the compiler does so only from here on. Without this function, it
/// does so from the start of the caller. That costs four instructions at `Level::Off`, where the
/// number is not needed.
#[inline(always)]
pub(super) fn fresh_register(size: usize) -> usize {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    {
        let same: usize;
        // SAFETY: there is no instruction, and the register has the same number before and after.
        unsafe {
            core::arch::asm!("/* {} */", inlateout(reg) size => same, options(nomem, nostack, preserves_flags));
        }
        same
    }
    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
    size
}

/// Returns the same pointer, and makes all paths that lead here leave the caller through one exit.
///
/// Without this function, the compiler turns a call at the end of a path into a jump out of the
/// caller. Each such exit has to restore registers first. With only one exit, registers are saved
/// after the check of the level, and not at all at `Level::Off`.
#[inline(always)]
pub(super) fn single_exit(memory: *mut u8) -> *mut u8 {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    {
        let same: *mut u8;
        // SAFETY: there is no instruction, and the register has the same pointer before and after.
        #[expect(clippy::pointers_in_nomem_asm_block, reason = "nothing is read through it")]
        unsafe {
            core::arch::asm!("/* {} */", inlateout(reg) memory => same, options(nomem, nostack, preserves_flags));
        }
        same
    }
    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
    memory
}
