//! Which registers the allocator saves, and where: told to the compiler without an instruction.
#![cfg_attr(
    all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)),
    expect(unsafe_code, reason = "assembly, if only to name a register")
)]

/// The same number, as one that has nothing to do with the argument: what is needed after a call
/// is then kept in a register from here on. Else it is from where it came, and at `Level::Off`,
/// where nothing is needed, four instructions are spent on that.
#[inline(always)]
pub(super) fn apart(size: usize) -> usize {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    {
        let same: usize;
        // SAFETY: there is no instruction, and the register has the number before and after.
        unsafe {
            core::arch::asm!("/* {} */", inlateout(reg) size => same, options(nomem, nostack, preserves_flags));
        }
        same
    }
    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
    size
}

/// The same answer, and one way on for all who give it. A call in the last place would else be a
/// jump that leaves the function, and each of them a way out before which registers are put back;
/// with only one, registers are saved behind the look at the level, and not at all at `Level::Off`.
#[inline(always)]
pub(super) fn one_way_out(memory: *mut u8) -> *mut u8 {
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    {
        let same: *mut u8;
        // SAFETY: there is no instruction, and the register has the answer before and after.
        #[expect(clippy::pointers_in_nomem_asm_block, reason = "nothing is read through it")]
        unsafe {
            core::arch::asm!("/* {} */", inlateout(reg) memory => same, options(nomem, nostack, preserves_flags));
        }
        same
    }
    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
    memory
}
