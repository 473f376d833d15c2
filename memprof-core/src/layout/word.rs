//! Functions that read words of values without a public accessor.
//!
//! A later version may have padding where a word is expected, and reading padding as a number is
//! undefined behaviour. So an assembly instruction loads the words. The compiler makes no
//! assumption about the bytes that the instruction reads, so a byte of padding only gives an
//! arbitrary number. Callers check the words afterwards, value by value.

use core::sync::atomic::{AtomicPtr, Ordering};

/// The bytes of a word.
pub(crate) const WORD: usize = size_of::<usize>();

/// The lowest address that an allocation can have. Operating systems never map lower addresses.
pub(crate) const LOWEST_ADDRESS: usize = 4096;

/// True if an assembly instruction loads the words. Otherwise, a word that may be uninitialised
/// must not be read. Miri executes no assembly.
pub(super) const BY_INSTRUCTION: bool = cfg!(all(
    not(miri),
    any(
        target_arch = "x86",
        all(target_arch = "x86_64", target_pointer_width = "64"),
        all(target_arch = "aarch64", target_pointer_width = "64"),
    )
));

/// True if [`word_at`] may read bytes of padding. It is also true under Miri, because Miri reports
/// such a read as an error.
pub(super) const READS_PADDING: bool = BY_INSTRUCTION || cfg!(miri);

/// True if [`word_at`] may read std's types: padding may be read, or the fields of these types are
/// known.
pub(super) const READS_STD: bool = READS_PADDING || cfg!(memprof_known_std);

/// Reads the word at an address.
///
/// # Safety
/// `at` is aligned and inside a live value, and no thread writes to the word during the call. The
/// word's bytes are initialised. If [`READS_PADDING`] is true, they need not be.
#[inline]
pub(super) unsafe fn word_at(at: *const usize) -> usize {
    // SAFETY: the caller's guarantees are those of `load`.
    unsafe { load(at) }
}

/// Reads the word at an address that other threads may write to.
///
/// # Safety
/// As for [`word_at`], except that other threads may write to the word by atomic operations, if its
/// type is atomic.
#[inline]
pub(super) unsafe fn atomic_word_at(at: *const usize) -> usize {
    if BY_INSTRUCTION {
        // SAFETY: the caller guarantees what `load` requires, and the instruction reads the aligned
        // word atomically.
        return unsafe { load(at) };
    }
    // SAFETY: the caller guarantees that the read is valid. The word is read as a pointer, because
    // Miri distinguishes pointers from integers.
    let word = unsafe { AtomicPtr::<()>::from_ptr(at.cast_mut().cast()) };
    word.load(Ordering::Relaxed).addr()
}

/// Reads the pointer at an address. The caller must decide whether it may dereference the pointer.
///
/// # Safety
/// As for [`word_at`].
pub(super) unsafe fn pointer_at(at: *const usize) -> *const usize {
    if BY_INSTRUCTION {
        // SAFETY: the caller guarantees what `load` requires.
        return core::ptr::with_exposed_provenance(unsafe { load(at) });
    }
    // SAFETY: the caller guarantees that the read is valid. A word read as a pointer keeps its
    // provenance.
    unsafe { at.cast::<*const usize>().read() }
}

/// Reads the words of a value that consists of `N` words.
///
/// Returns `None` if its size or its alignment is different.
///
/// # Safety
/// No thread writes to the value during the call. The value's bytes are initialised. If
/// [`READS_PADDING`] is true, they need not be.
pub(super) unsafe fn words_of<T, const N: usize>(value: &T) -> Option<[usize; N]> {
    if size_of::<T>() != N * WORD || align_of::<T>() != align_of::<usize>() {
        return None;
    }
    let first = (&raw const *value).cast::<usize>();
    Some(core::array::from_fn(|index| {
        // SAFETY: the word lies inside `*value`, which is borrowed and aligned to words. The rest
        // is the caller's guarantee.
        unsafe { word_at(first.wrapping_add(index)) }
    }))
}

/// Reads the `N` words of a value that are outside `part`. Returns `None` if these words are not
/// contiguous or their number is not `N`.
///
/// # Safety
/// As for [`words_of`], except for the words of `part`.
pub(super) unsafe fn words_except<T, P, const N: usize>(value: &T, part: &P) -> Option<[usize; N]> {
    let part_size = size_of::<P>().next_multiple_of(WORD);
    if size_of::<T>() != N * WORD + part_size || align_of::<T>() != align_of::<usize>() {
        return None;
    }
    let first = (&raw const *value).cast::<usize>();
    let part_at = (&raw const *part).addr().wrapping_sub(first.addr());
    // The part is first or last, or it is zero-sized and may be anywhere.
    let skipped = match part_at {
        _ if part_size == 0 => 0,
        0 => part_size / WORD,
        _ if part_at == N * WORD => 0,
        _ => return None,
    };
    Some(core::array::from_fn(|index| {
        // SAFETY: the word lies inside `*value`, which is borrowed and aligned to words. The word
        // is outside `part`. The rest is the caller's guarantee.
        unsafe { word_at(first.wrapping_add(skipped + index)) }
    }))
}

/// # Safety
/// As for [`word_at`].
#[cfg(all(not(miri), target_arch = "x86_64", target_pointer_width = "64"))]
#[inline]
unsafe fn load(at: *const usize) -> usize {
    let word;
    // SAFETY: the instruction reads eight bytes, which are inside a live object.
    unsafe {
        core::arch::asm!(
            "mov {word}, qword ptr [{at}]",
            at = in(reg) at,
            word = lateout(reg) word,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    word
}

/// # Safety
/// As for [`word_at`].
#[cfg(all(not(miri), target_arch = "x86"))]
#[inline]
unsafe fn load(at: *const usize) -> usize {
    let word;
    // SAFETY: the instruction reads four bytes, which are inside a live object.
    unsafe {
        core::arch::asm!(
            "mov {word}, dword ptr [{at}]",
            at = in(reg) at,
            word = lateout(reg) word,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    word
}

/// # Safety
/// As for [`word_at`].
#[cfg(all(not(miri), target_arch = "aarch64", target_pointer_width = "64"))]
#[inline]
unsafe fn load(at: *const usize) -> usize {
    let word;
    // SAFETY: the instruction reads eight bytes, which are inside a live object.
    unsafe {
        core::arch::asm!(
            "ldr {word}, [{at}]",
            at = in(reg) at,
            word = lateout(reg) word,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    word
}

/// # Safety
/// As for [`word_at`].
#[cfg(any(
    miri,
    not(any(
        target_arch = "x86",
        all(target_arch = "x86_64", target_pointer_width = "64"),
        all(target_arch = "aarch64", target_pointer_width = "64"),
    ))
))]
#[inline]
unsafe fn load(at: *const usize) -> usize {
    // SAFETY: the caller guarantees that the bytes are initialised.
    unsafe { at.read() }
}

#[cfg(test)]
mod tests;
