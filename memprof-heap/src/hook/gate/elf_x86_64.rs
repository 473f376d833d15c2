//! The copy of the gate that is linked where this code is, on x86-64 with ELF: read by the
//! instruction that compares it.
//!
//! What another crate defines may be in another library, so compilers read its address from a table
//! first: an instruction on each call. What is hidden from other libraries needs none, but Rust
//! can't hide a static, nor define one where a function is inlined. Assembly can do both.
#![expect(
    unsafe_code,
    reason = "a static in assembly, and branches on what an instruction compared"
)]
#![expect(named_asm_labels, reason = "defined once, however often it is inlined")]

use crate::hook::gate::{GateCopy, SAMPLED, UNDECIDED, Work};
use crate::hook::list::FREE;
use core::mem::offset_of;

/// Versions that are in one program each have theirs.
macro_rules! symbol {
    () => {
        concat!(
            "memprof_heap_gate_",
            env!("CARGO_PKG_VERSION_MAJOR"),
            "_",
            env!("CARGO_PKG_VERSION_MINOR"),
            "_",
            env!("CARGO_PKG_VERSION_PATCH"),
        )
    };
}

/// Assembly that may name the copy, and brings it along: the assembler takes it once for each file
/// that it writes, and the linker keeps one of them, unseen by what is linked apart.
macro_rules! with_copy {
    ([$($line:expr),+ $(,)?], $($operands:tt)+) => {
        core::arch::asm!(
            concat!(".ifndef ", symbol!()),
            concat!(".pushsection .data.", symbol!(), ", \"awG\", @progbits, ", symbol!(), ", comdat"),
            concat!(".weak ", symbol!()),
            concat!(".hidden ", symbol!()),
            concat!(".type ", symbol!(), ", @object"),
            concat!(".size ", symbol!(), ", {size}"),
            ".balign {align}",
            concat!(symbol!(), ":"),
            ".quad {undecided}",
            ".zero {size} - 8",
            ".popsection",
            ".endif",
            $($line,)+
            size = const size_of::<GateCopy>(),
            align = const align_of::<GateCopy>(),
            undecided = const UNDECIDED,
            $($operands)+
        )
    };
}

// What the assembly writes is a copy: its word first, and zeros are a link that is free.
const _: () = assert!(offset_of!(GateCopy, word) == 0 && FREE == 0);

#[inline(always)]
pub(crate) fn copy() -> &'static GateCopy {
    let copy: *const GateCopy;
    // SAFETY: nothing is done but to take an address.
    unsafe {
        with_copy!(
            [concat!("lea {copy}, [rip + ", symbol!(), "]")],
            copy = out(reg) copy,
            options(nomem, nostack, preserves_flags),
        );
    }
    // SAFETY: what the assembly defines is a static, and a copy from the start.
    unsafe { &*copy }
}

/// Whether something counts, and an allocation of this alignment is one that `malloc` serves.
#[inline(always)]
pub(crate) fn counts_aligned(align: usize) -> bool {
    // SAFETY: a live word is read, in one piece as aligned words are, and nothing is written.
    unsafe {
        with_copy!(
            [concat!("cmp qword ptr [rip + ", symbol!(), "], {layout}"), "jae {yes}"],
            layout = in(reg) align,
            yes = label { return true },
            options(readonly, nostack),
        );
    }
    false
}

/// What a free or a reallocation has to do at the level that is set.
#[inline(always)]
pub(crate) fn work() -> Work {
    // SAFETY: as above.
    unsafe {
        with_copy!(
            [
                concat!("cmp qword ptr [rip + ", symbol!(), "], {sampled}"),
                "ja {count}",
                "je {look}",
            ],
            sampled = const SAMPLED,
            count = label { return Work::Count },
            look = label { return Work::LookForSample },
            options(readonly, nostack),
        );
    }
    Work::PassOn
}
